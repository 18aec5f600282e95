package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;

/**
 * Conversion of JSON values as in JavaScript, with the deviations from expressions that flows rely on (contract
 * flows-and-engine 8.3).
 */
public final class ScriptValues {
    private ScriptValues() {}

    /**
     * {@code String(value)}, except that a list or an object becomes its JSON, which is more useful than "[object
     * Object]".
     */
    public static String text(JsonNode value) {
        return value.isContainerNode() || value.isPojo() ? Json.text(value) : JsText.of(value);
    }

    /** A number as JSON: whole where it is whole, null where JSON has no such number. */
    public static JsonNode node(double number) {
        return Double.isFinite(number) ? JsNumbers.node(number) : Json.mapper().nullNode();
    }
}
