package io.millrace.sandbox.expression.closure;

import static java.util.Map.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.JsJson;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Functions and constants of the language that depend on their arguments only. */
final class ClosureGlobals {
    static final Map<String, JsonNode> CONSTANTS = Map.of(
            "Math.PI", JsNumbers.node(Math.PI),
            "Math.E", JsNumbers.node(Math.E),
            "Number.MAX_SAFE_INTEGER", JsNumbers.node(JsNumbers.SAFE_INTEGER_MAX),
            "Number.MIN_SAFE_INTEGER", JsNumbers.node(-JsNumbers.SAFE_INTEGER_MAX));

    /** Functions that use only their first argument. */
    static final Set<String> CONVERSIONS = Set.of("Number", "String", "Boolean");

    static final Map<String, GlobalFunction> FUNCTIONS = Map.ofEntries(
            entry("Number", (arguments, frame) -> ExactValues.number(converted(one(arguments), frame))),
            entry(
                    "String",
                    (arguments, frame) ->
                            ExactValues.made(ExactValues.text(one(arguments), frame.meter()), frame.meter())),
            entry("Boolean", (arguments, _) -> BooleanNode.valueOf(JsValues.isTruthy(one(arguments)))),
            entry("isNaN", (arguments, frame) -> BooleanNode.valueOf(Double.isNaN(converted(one(arguments), frame)))),
            entry("parseInt", ClosureGlobals::parseInt),
            entry("parseFloat", ClosureGlobals::parseFloat),
            entry("Number.parseInt", ClosureGlobals::parseInt),
            entry("Number.parseFloat", ClosureGlobals::parseFloat),
            entry(
                    "Number.isInteger",
                    (arguments, _) -> BooleanNode.valueOf(one(arguments).isNumber()
                            && one(arguments).doubleValue()
                                    == Math.rint(one(arguments).doubleValue()))),
            // Numbers of the subset are finite.
            entry(
                    "Number.isFinite",
                    (arguments, _) -> BooleanNode.valueOf(one(arguments).isNumber())),
            entry("Number.isNaN", (arguments, _) -> {
                one(arguments);
                return BooleanNode.FALSE;
            }),
            entry("Math.abs", math(Math::abs)),
            entry("Math.ceil", math(Math::ceil)),
            entry("Math.floor", math(Math::floor)),
            entry("Math.round", math(ClosureGlobals::round)),
            entry("Math.trunc", math(value -> value < 0 ? Math.ceil(value) : Math.floor(value))),
            entry("Math.sign", math(Math::signum)),
            entry("Math.sqrt", math(Math::sqrt)),
            entry("Math.min", extreme(Math::min)),
            entry("Math.max", extreme(Math::max)),
            entry("Object.keys", ClosureGlobals::keys),
            entry("Object.values", ClosureGlobals::values),
            entry("Object.entries", ClosureGlobals::entries),
            entry("Object.fromEntries", ClosureGlobals::fromEntries),
            entry(
                    "Array.isArray",
                    (arguments, _) -> BooleanNode.valueOf(one(arguments).isArray())),
            entry("JSON.parse", ClosureGlobals::parse),
            entry("JSON.stringify", ClosureGlobals::stringify));

    private static final int INDENT_MAX = 10;

    private ClosureGlobals() {}

    @FunctionalInterface
    interface GlobalFunction {
        JsonNode call(List<JsonNode> arguments, ClosureFrame frame);
    }

    private static JsonNode one(List<JsonNode> arguments) {
        if (arguments.size() != 1) {
            throw new SubsetExit("other than one argument");
        }
        return arguments.getFirst();
    }

    private static double converted(JsonNode value, ClosureFrame frame) {
        return switch (value.getNodeType()) {
            case NUMBER, STRING -> ExactValues.numeric(value, frame.meter());
            case BOOLEAN, NULL, MISSING -> JsNumbers.of(value);
            case ARRAY, OBJECT, BINARY, POJO -> throw new SubsetExit("the number of a list or an object");
        };
    }

    private static JsonNode parseInt(List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new SubsetExit("an unusual number of arguments");
        }
        var radix = arguments.size() == 2 ? ClosureTexts.integer(arguments.get(1)) : 0;
        if (radix != 0 && (radix < 2 || radix > 36)) {
            throw new SubsetExit("an unusual radix");
        }
        var text = ExactValues.text(arguments.getFirst(), frame.meter());
        frame.meter().scan(text.length());
        return ExactValues.number(JsNumbers.parseInteger(text, (int) radix));
    }

    private static JsonNode parseFloat(List<JsonNode> arguments, ClosureFrame frame) {
        var text = ExactValues.text(one(arguments), frame.meter());
        frame.meter().scan(text.length());
        return ExactValues.number(JsNumbers.parsePrefix(text));
    }

    private static GlobalFunction math(DoubleUnaryOperator function) {
        return (arguments, frame) ->
                ExactValues.number(function.applyAsDouble(ExactValues.numeric(one(arguments), frame.meter())));
    }

    private static GlobalFunction extreme(DoubleBinaryOperator function) {
        return (arguments, frame) -> {
            var result = Double.NaN;
            for (var argument : arguments) {
                frame.meter().spend(1);
                var value = ExactValues.number(ExactValues.numeric(argument, frame.meter()))
                        .doubleValue();
                result = Double.isNaN(result) ? value : function.applyAsDouble(result, value);
            }
            return ExactValues.number(result);
        };
    }

    /** Rounds halves up; the result of a small negative number is -0. */
    private static double round(double value) {
        var floor = Math.floor(value);
        return Math.copySign(value - floor >= 0.5 ? floor + 1 : floor, value);
    }

    private static ObjectNode object(List<JsonNode> arguments) {
        if (one(arguments) instanceof ObjectNode object) {
            return object;
        }
        throw new SubsetExit("the properties of a value that is no object");
    }

    private static JsonNode keys(List<JsonNode> arguments, ClosureFrame frame) {
        var result = Json.array();
        for (var property : object(arguments).properties()) {
            ExactValues.add(result, TextNode.valueOf(property.getKey()), frame.meter());
        }
        return result;
    }

    private static JsonNode values(List<JsonNode> arguments, ClosureFrame frame) {
        var result = Json.array();
        for (var property : object(arguments).properties()) {
            ExactValues.add(result, property.getValue(), frame.meter());
        }
        return result;
    }

    private static JsonNode entries(List<JsonNode> arguments, ClosureFrame frame) {
        var result = Json.array();
        for (var property : object(arguments).properties()) {
            var pair = Json.array();
            ExactValues.add(pair, TextNode.valueOf(property.getKey()), frame.meter());
            ExactValues.add(pair, property.getValue(), frame.meter());
            ExactValues.add(result, pair, frame.meter());
        }
        return result;
    }

    private static JsonNode fromEntries(List<JsonNode> arguments, ClosureFrame frame) {
        var result = Json.object();
        for (var pair : ExactValues.requireList(one(arguments))) {
            var entry = ExactValues.requireList(pair);
            if (entry.size() != 2) {
                throw new SubsetExit("an entry without a key and a value");
            }
            ExactValues.put(result, ExactValues.requireText(entry.get(0)), entry.get(1), frame.meter());
        }
        return result;
    }

    private static JsonNode parse(List<JsonNode> arguments, ClosureFrame frame) {
        var text = ExactValues.requireText(one(arguments));
        // Half a unit for each character: reading a text takes longer than scanning it.
        frame.meter().spend(1 + text.length() / 2);
        try {
            var value = Json.parse(text);
            PlainData.require(value, frame.meter());
            return value;
        } catch (JsonProcessingException malformed) {
            throw new SubsetExit("malformed JSON");
        }
    }

    private static JsonNode stringify(List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.isEmpty()
                || arguments.size() > 3
                || arguments.size() > 1 && !arguments.get(1).isNull()) {
            throw new SubsetExit("an unusual JSON text");
        }
        var indent = arguments.size() < 3 ? 0 : ClosureTexts.integer(arguments.get(2));
        if (indent < 0 || indent > INDENT_MAX) {
            throw new SubsetExit("an unusual indent");
        }
        var text = JsJson.text(arguments.getFirst(), " ".repeat((int) indent), frame.meter());
        return text == null ? ExactValues.UNDEFINED : ExactValues.made(text, frame.meter());
    }
}
