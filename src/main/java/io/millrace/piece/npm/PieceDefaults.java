package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceSpec;

/** Defaults for required fields of descriptions that older packages omit (contract pieces 2.2, flows-and-engine 29). */
final class PieceDefaults {
    private PieceDefaults() {}

    static ObjectNode filledIn(ObjectNode description, PieceSpec spec) {
        description.set("authors", Json.mapper().valueToTree(spec.authors()));
        description.set("categories", Json.mapper().valueToTree(spec.categories()));
        defaultText(description, "minimumSupportedRelease", "0.0.0");
        defaultText(description, "maximumSupportedRelease", "999.999.999");
        description.remove("hasEvents");
        description.path("actions").properties().forEach(entry -> {
            var action = (ObjectNode) entry.getValue();
            common(action, entry.getKey());
            if (!action.path("errorHandlingOptions").isObject()) {
                var options = action.putObject("errorHandlingOptions");
                options.putObject("continueOnFailure").put("defaultValue", false);
                options.putObject("retryOnFailure").put("defaultValue", false);
            }
        });
        description.path("triggers").properties().forEach(entry -> {
            var trigger = (ObjectNode) entry.getValue();
            common(trigger, entry.getKey());
            var spoken = NpmDefinitions.trigger(entry.getKey(), trigger);
            trigger.put("type", spoken.strategy().name());
            trigger.put("testStrategy", spoken.testStrategy().name());
            trigger.remove("preparesRuns");
            if (!trigger.has("sampleData")) {
                trigger.putNull("sampleData");
            }
            for (var configuration : new String[] {"handshakeConfiguration", "renewConfiguration"}) {
                if (!trigger.path(configuration).isObject()) {
                    trigger.putObject(configuration).put("strategy", "NONE");
                }
            }
        });
        return description;
    }

    private static void common(ObjectNode part, String name) {
        part.put("name", name);
        defaultText(part, "displayName", name);
        defaultText(part, "description", "");
        if (!part.path("props").isObject()) {
            part.putObject("props");
        }
        if (!part.path("requireAuth").isBoolean()) {
            part.put("requireAuth", true);
        }
        part.path("props").properties().forEach(entry -> {
            if (entry.getValue() instanceof ObjectNode property
                    && !property.path("required").isBoolean()) {
                property.put("required", false);
            }
        });
    }

    private static void defaultText(ObjectNode object, String field, String text) {
        if (!object.path(field).isTextual()) {
            object.put(field, text);
        }
    }
}
