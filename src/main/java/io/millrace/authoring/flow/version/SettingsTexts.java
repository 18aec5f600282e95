package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.function.UnaryOperator;

/** Walks the texts inside settings. Settings are never deeper than {@link StepReader#SETTINGS_DEPTH_MAX}. */
final class SettingsTexts {
    private static final String CODE = "sourceCode";

    private SettingsTexts() {}

    /** A copy with every text replaced, keys untouched. */
    static JsonNode mapped(JsonNode value, UnaryOperator<String> edit) {
        return switch (value.getNodeType()) {
            case STRING -> TextNode.valueOf(edit.apply(value.textValue()));
            case ARRAY -> {
                var array = Json.array();
                value.forEach(item -> array.add(mapped(item, edit)));
                yield array;
            }
            case OBJECT -> {
                var object = Json.object();
                value.properties().forEach(entry -> object.set(entry.getKey(), mapped(entry.getValue(), edit)));
                yield object;
            }
            case BINARY, BOOLEAN, MISSING, NULL, NUMBER, POJO -> value;
        };
    }

    /** A copy of settings with every text replaced, except the author's code (contract flows-and-engine 2.14). */
    static ObjectNode mappedOutsideCode(ObjectNode settings, UnaryOperator<String> edit) {
        var mapped = Json.object();
        settings.properties()
                .forEach(entry -> mapped.set(
                        entry.getKey(),
                        entry.getKey().equals(CODE) ? entry.getValue() : mapped(entry.getValue(), edit)));
        return mapped;
    }
}
