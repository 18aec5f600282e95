package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Adds the shared parts of all write operations: an operation that can be unavailable can also fail with an unknown outcome
 * (decision 0380), and one with a caller takes an idempotency key (decision 0381).
 */
final class WriteOperations {
    private static final Set<String> METHODS = Set.of("post", "put", "patch", "delete");
    private static final String UNAVAILABLE = "503";
    private static final String OUTCOME_UNKNOWN = "504";
    private static final String KEY_IN_USE = "409";
    private static final String KEY_REUSED = "422";
    private static final String KEY = "#/components/parameters/RequestIdempotencyKey";
    private static final String KEY_OF_RUN = "#/components/parameters/IdempotencyKey";
    private static final String REFERENCE = "$ref";

    private final ObjectNode document;

    /** Answers that are described already: operations share them. */
    private final Set<JsonNode> widened = Collections.newSetFromMap(new IdentityHashMap<>());

    private WriteOperations(ObjectNode document) {
        this.document = document;
    }

    static void describe(ObjectNode document) {
        var writes = new WriteOperations(document);
        document.path("paths")
                .forEach(path -> path.properties().forEach(entry -> {
                    if (METHODS.contains(entry.getKey()) && entry.getValue() instanceof ObjectNode operation) {
                        writes.describeOperation(operation);
                    }
                }));
    }

    private void describeKey(ObjectNode operation) {
        if (operation.path("x-access").asText().startsWith("public")
                || operation.path("x-any-method").asBoolean()
                || operation.path("parameters").findValuesAsText(REFERENCE).contains(KEY_OF_RUN)
                || !(operation.get("responses") instanceof ObjectNode responses)) {
            return;
        }
        operation.withArray("parameters").add(Json.object().put(REFERENCE, KEY));
        if (!responses.has(KEY_REUSED)) {
            responses.set(KEY_REUSED, Json.object().put(REFERENCE, "#/components/responses/IdempotencyKeyReused"));
        }
        if (!responses.has(KEY_IN_USE)) {
            responses.set(KEY_IN_USE, Json.object().put(REFERENCE, "#/components/responses/IdempotencyKeyInUse"));
        } else {
            widen(responses.get(KEY_IN_USE));
        }
    }

    /** An operation with its own 409 responses documents those and the one of the key. */
    private void widen(JsonNode response) {
        var reference = response.path(REFERENCE).asText();
        var resolved = reference.isEmpty() ? response : document.at(reference.substring(1));
        if (resolved.at("/content/application~1json") instanceof ObjectNode content && widened.add(content)) {
            var both = Json.object();
            both.putArray("anyOf")
                    .add(content.get("schema"))
                    .add(Json.object().put(REFERENCE, "#/components/schemas/FrameworkError"));
            content.set("schema", both);
        }
    }

    private void describeOperation(ObjectNode operation) {
        describeKey(operation);
        if (operation.get("responses") instanceof ObjectNode responses
                && responses.has(UNAVAILABLE)
                && !responses.has(OUTCOME_UNKNOWN)) {
            responses.set(OUTCOME_UNKNOWN, Json.object().put(REFERENCE, "#/components/responses/OutcomeUnknown"));
        }
    }
}
