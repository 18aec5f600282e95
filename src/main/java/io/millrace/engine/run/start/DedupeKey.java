package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import java.nio.charset.StandardCharsets;

/** Deduplicates recent items of a trigger (contract flows-and-engine 18.6, decision 0319). */
record DedupeKey(String flowVersionId, String text) {
    private static final String FIELD = "_dedupe_key";

    static boolean isIn(JsonNode item) {
        return item instanceof ObjectNode object && object.has(FIELD);
    }

    /** The deduplication key of an item, or null; an item tested on a draft must not count as processed. */
    static DedupeKey of(RunWrite.RunHeader run, JsonNode item) {
        return of(run.flow().flowVersionId(), run.environment(), item);
    }

    static DedupeKey of(String flowVersionId, RunEnvironment environment, JsonNode item) {
        if (!isIn(item)) {
            return null;
        }
        var given = item.get(FIELD);
        var text = given.isTextual() ? given.textValue() : Json.text(given);
        var known = environment == RunEnvironment.TESTING ? "draft/" + text : text;
        return new DedupeKey(flowVersionId, IdempotencyKey.of(asKept(known)));
    }

    /** The text as the database stores it: without unpaired surrogates. */
    private static String asKept(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    static JsonNode removedFrom(JsonNode item) {
        return isIn(item) ? ((ObjectNode) item).deepCopy().without(FIELD) : item;
    }
}
