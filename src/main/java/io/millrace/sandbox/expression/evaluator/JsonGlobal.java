package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsJson;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.Map;

final class JsonGlobal {
    private static final int INDENT_MAX = 10;

    private JsonGlobal() {}

    static JsonNode value() {
        return Functions.namespace(
                "JSON",
                null,
                Map.of(
                        "parse", Functions.of("parse", JsonGlobal::parse),
                        "stringify", Functions.of("stringify", JsonGlobal::stringify)));
    }

    private static JsonNode parse(Evaluator evaluator, Arguments arguments) {
        var text = evaluator.text(arguments.at(0));
        evaluator.meter().text(text.length());
        evaluator.meter().spend(text.length());
        try {
            var value = Json.parse(text);
            if (value.isMissingNode()) {
                throw JsError.syntax("unexpected end of JSON input");
            }
            return value;
        } catch (JsonProcessingException malformed) {
            throw JsError.syntax("malformed JSON");
        }
    }

    private static JsonNode stringify(Evaluator evaluator, Arguments arguments) {
        if (JsValues.isObject(arguments.at(1))) {
            throw JsError.type("a replacer is not supported");
        }
        var indent = arguments.at(2);
        var unit = indent.isNumber()
                ? " ".repeat(TextMethods.clamp(JsNumbers.of(indent), INDENT_MAX))
                : indent.isTextual() ? indent.textValue() : "";
        var text =
                JsJson.text(arguments.at(0), unit.substring(0, Math.min(INDENT_MAX, unit.length())), evaluator.meter());
        return text == null ? MissingNode.getInstance() : evaluator.made(text);
    }
}
