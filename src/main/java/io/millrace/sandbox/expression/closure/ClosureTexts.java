package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Methods;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.NumberText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Methods of texts and numbers: those of expressions, for arguments of the usual types. */
final class ClosureTexts {
    static final Set<String> PATTERN_METHODS = Set.of("replace", "replaceAll", "match", "split");

    static final Map<String, ExactMethod<JsonNode>> METHODS = table();

    static final Map<String, ExactMethod<JsonNode>> OF_NUMBERS =
            Map.of("toFixed", ClosureTexts::fixed, "toString", ClosureTexts::numberText);

    private static final int DECIMALS_MAX = 20;

    /** Units for a number with a fixed number of decimals, made by exact arithmetic. */
    private static final int FIXED_UNITS = 20;

    private ClosureTexts() {}

    private static Map<String, ExactMethod<JsonNode>> table() {
        var methods = new HashMap<String, ExactMethod<JsonNode>>();
        for (var name : List.of("toUpperCase", "toLowerCase", "trim", "trimStart", "trimEnd", "toString")) {
            methods.put(name, (self, arguments, frame) -> numbers(self, name, arguments, 0, 0, frame));
        }
        for (var name : List.of("slice", "substring")) {
            methods.put(name, (self, arguments, frame) -> numbers(self, name, arguments, 1, 2, frame));
        }
        for (var name : List.of("charAt", "at", "charCodeAt", "repeat")) {
            methods.put(name, (self, arguments, frame) -> numbers(self, name, arguments, 1, 1, frame));
        }
        for (var name : List.of("includes", "startsWith", "endsWith", "indexOf", "lastIndexOf", "split")) {
            methods.put(name, (self, arguments, frame) -> search(self, name, arguments, 1, frame));
        }
        methods.put("replace", (self, arguments, frame) -> search(self, "replace", arguments, 2, frame));
        methods.put("replaceAll", (self, arguments, frame) -> search(self, "replaceAll", arguments, 2, frame));
        methods.put("padStart", (self, arguments, frame) -> pad(self, "padStart", arguments, frame));
        methods.put("padEnd", (self, arguments, frame) -> pad(self, "padEnd", arguments, frame));
        return Map.copyOf(methods);
    }

    private static JsonNode call(JsonNode self, String name, List<JsonNode> arguments, ClosureFrame frame) {
        var value = Methods.call(frame.evaluator(), self, name, new Arguments(arguments));
        if (value.isNumber() && !ExactValues.isExact(value.doubleValue())) {
            throw new SubsetExit("a number beyond the subset");
        }
        return value;
    }

    static double integer(JsonNode value) {
        if (!value.isNumber()) {
            throw new SubsetExit("a position that is no number");
        }
        return JsNumbers.integer(value.doubleValue());
    }

    private static void requireSize(List<JsonNode> arguments, int least, int most) {
        if (arguments.size() < least || arguments.size() > most) {
            throw new SubsetExit("an unusual number of arguments");
        }
    }

    private static JsonNode numbers(
            JsonNode self, String name, List<JsonNode> arguments, int least, int most, ClosureFrame frame) {
        requireSize(arguments, least, most);
        arguments.forEach(ClosureTexts::integer);
        frame.meter().scan(self.textValue().length());
        return call(self, name, arguments, frame);
    }

    private static JsonNode pad(JsonNode self, String name, List<JsonNode> arguments, ClosureFrame frame) {
        requireSize(arguments, 1, 2);
        integer(arguments.getFirst());
        if (arguments.size() == 2) {
            frame.meter().scan(ExactValues.requireText(arguments.get(1)).length());
        }
        return call(self, name, arguments, frame);
    }

    private static JsonNode search(JsonNode self, String name, List<JsonNode> arguments, int size, ClosureFrame frame) {
        requireSize(arguments, size, size);
        arguments.forEach(ExactValues::requireText);
        var wanted = arguments.getFirst().textValue();
        if (size > 1) {
            requirePlainReplacement(arguments.get(1));
            if (wanted.isEmpty()) {
                throw new SubsetExit("a replacement of nothing");
            }
        }
        frame.meter().scan((long) self.textValue().length() + wanted.length());
        return call(self, name, arguments, frame);
    }

    private static void requirePlainReplacement(JsonNode replacement) {
        if (ExactValues.requireText(replacement).indexOf('$') >= 0) {
            throw new SubsetExit("a replacement with parts of the match");
        }
    }

    /** @param given the text, the expression and further arguments, or the expression and the text */
    static JsonNode ofPattern(
            String name, JsPattern pattern, JsonNode subject, List<JsonNode> given, ClosureFrame frame) {
        var text = ExactValues.requireText(subject);
        frame.meter().scan(text.length());
        PlainPattern.requirePlainSubject(text, pattern);
        var arguments = given.subList(1, given.size());
        if (name.startsWith("replace")) {
            requireSize(arguments, 2, 2);
            requirePlainReplacement(arguments.get(1));
        } else {
            requireSize(arguments, 1, 1);
        }
        return call(given.getFirst(), name, arguments, frame);
    }

    private static JsonNode fixed(JsonNode self, List<JsonNode> arguments, ClosureFrame frame) {
        requireSize(arguments, 0, 1);
        var decimals = arguments.isEmpty() ? 0 : integer(arguments.getFirst());
        if (decimals < 0 || decimals > DECIMALS_MAX) {
            throw new SubsetExit("an unusual number of decimals");
        }
        frame.meter().spend(FIXED_UNITS);
        return TextNode.valueOf(NumberText.fixed(self.doubleValue(), (int) decimals));
    }

    private static JsonNode numberText(JsonNode self, List<JsonNode> arguments, ClosureFrame frame) {
        requireSize(arguments, 0, 0);
        return ExactValues.made(ExactValues.text(self, frame.meter()), frame.meter());
    }
}
