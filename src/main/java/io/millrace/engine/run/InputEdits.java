package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.ResolvedInput;

/**
 * Replacement of the resolved input of a step. An edited input is usually a copy of a logged one, so a field with a
 * redacted value keeps the value that the step's settings give it: secrets are neither shown nor retyped.
 */
public final class InputEdits {
    private InputEdits() {}

    /** The input with the edited fields; fields with secrets that the edit omits are kept as well. */
    public static ResolvedInput applied(ResolvedInput resolved, JsonNode edited) {
        if (!(edited instanceof ObjectNode fields)) {
            return new ResolvedInput(edited, edited);
        }
        var value = Json.object();
        var censored = Json.object();
        for (var field : fields.properties()) {
            var isKept = holdsRedacted(field.getValue()) && resolved.value().has(field.getKey());
            value.set(field.getKey(), isKept ? resolved.value().get(field.getKey()) : field.getValue());
            censored.set(field.getKey(), isKept ? resolved.censored().get(field.getKey()) : field.getValue());
        }
        for (var field : resolved.censored().properties()) {
            if (!fields.has(field.getKey()) && holdsRedacted(field.getValue())) {
                value.set(field.getKey(), resolved.value().get(field.getKey()));
                censored.set(field.getKey(), field.getValue());
            }
        }
        return new ResolvedInput(value, censored);
    }

    /** Recursion as deep as JSON may be nested in a request. */
    private static boolean holdsRedacted(JsonNode value) {
        if (value instanceof TextNode text) {
            return text.textValue().contains(ResolvedInput.REDACTED);
        }
        for (var child : value) {
            if (holdsRedacted(child)) {
                return true;
            }
        }
        return false;
    }
}
