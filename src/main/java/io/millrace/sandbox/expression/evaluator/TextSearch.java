package io.millrace.sandbox.expression.evaluator;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.OpaqueValue;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.List;
import java.util.Map;

final class TextSearch {
    static final Map<String, Methods.Method> TABLE = Map.ofEntries(
            entry("indexOf", TextSearch::indexOf),
            entry("lastIndexOf", TextSearch::lastIndexOf),
            entry("includes", TextSearch::includes),
            entry("startsWith", TextSearch::startsWith),
            entry("endsWith", TextSearch::endsWith),
            entry("split", TextSearch::split),
            entry("replace", (evaluator, self, arguments) -> replace(evaluator, self, arguments, false)),
            entry("replaceAll", (evaluator, self, arguments) -> replace(evaluator, self, arguments, true)),
            entry("match", TextSearch::match),
            entry("matchAll", TextSearch::matchAll),
            entry("search", TextSearch::search));

    private TextSearch() {}

    private static String wanted(Evaluator evaluator, JsonNode self, Arguments arguments) {
        evaluator.meter().scan(self.textValue().length());
        if (OpaqueValue.in(arguments.at(0)) instanceof OpaqueValue.Regex) {
            throw JsError.type("expected a text, but found a regular expression");
        }
        return evaluator.text(arguments.at(0));
    }

    private static JsonNode indexOf(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = TextMethods.clamp(
                arguments.integer(evaluator, 1, 0), self.textValue().length());
        return JsNumbers.node(Substrings.first(self.textValue(), wanted(evaluator, self, arguments), from));
    }

    private static JsonNode lastIndexOf(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var length = self.textValue().length();
        var from = arguments.isGiven(1) && !Double.isNaN(arguments.number(evaluator, 1))
                ? arguments.integer(evaluator, 1, 0)
                : length;
        var last = TextMethods.clamp(from, length);
        return JsNumbers.node(Substrings.last(self.textValue(), wanted(evaluator, self, arguments), last));
    }

    private static JsonNode includes(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = TextMethods.clamp(
                arguments.integer(evaluator, 1, 0), self.textValue().length());
        return BooleanNode.valueOf(Substrings.first(self.textValue(), wanted(evaluator, self, arguments), from) >= 0);
    }

    private static JsonNode startsWith(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = TextMethods.clamp(
                arguments.integer(evaluator, 1, 0), self.textValue().length());
        return BooleanNode.valueOf(self.textValue().startsWith(wanted(evaluator, self, arguments), from));
    }

    private static JsonNode endsWith(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var end = TextMethods.clamp(arguments.integer(evaluator, 1, text.length()), text.length());
        return BooleanNode.valueOf(text.substring(0, end).endsWith(wanted(evaluator, self, arguments)));
    }

    private static JsonNode split(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var limit = arguments.isGiven(1) ? Math.max(0, arguments.integer(evaluator, 1, 0)) : Meter.LIST_SIZE_MAX + 1;
        var separator = arguments.at(0);
        if (separator.isMissingNode()) {
            var whole = evaluator.newList();
            evaluator.add(whole, self);
            return whole;
        }
        if (OpaqueValue.in(separator) instanceof OpaqueValue.Regex(var pattern)) {
            return RegexMethods.split(evaluator, pattern, self.textValue(), limit);
        }
        return splitAt(evaluator, self.textValue(), wanted(evaluator, self, arguments), limit);
    }

    private static JsonNode splitAt(Evaluator evaluator, String text, String separator, double limit) {
        var parts = evaluator.newList();
        var from = 0;
        if (separator.isEmpty()) {
            while (from < text.length() && parts.size() < limit) {
                evaluator.add(parts, TextNode.valueOf(String.valueOf(text.charAt(from++))));
            }
            return parts;
        }
        var search = new Substrings.Search(separator);
        var found = search.first(text, 0);
        while (found >= 0 && parts.size() < limit) {
            evaluator.add(parts, evaluator.made(text.substring(from, found)));
            from = found + separator.length();
            found = search.first(text, from);
        }
        if (parts.size() < limit) {
            evaluator.add(parts, evaluator.made(text.substring(from)));
        }
        return parts;
    }

    private static JsonNode replace(Evaluator evaluator, JsonNode self, Arguments arguments, boolean all) {
        var replacement = ReplaceValue.of(evaluator, arguments.at(1));
        if (OpaqueValue.in(arguments.at(0)) instanceof OpaqueValue.Regex(var pattern)) {
            if (all && !pattern.isGlobal()) {
                throw JsError.type("replaceAll must be called with a global regular expression");
            }
            return RegexMethods.replace(evaluator, pattern, self.textValue(), replacement);
        }
        var text = self.textValue();
        var wanted = wanted(evaluator, self, arguments);
        var result = new StringBuilder();
        var from = 0;
        var search = new Substrings.Search(wanted);
        var found = search.first(text, 0);
        while (found >= 0) {
            var before = result.length();
            result.append(text, from, found);
            result.append(replacement.apply(new ReplaceValue.Match(text, found, List.of(wanted), null)));
            evaluator.meter().grown(result, result.length() - before);
            from = found + wanted.length();
            var next = wanted.isEmpty() ? found + 1 : from;
            found = all && next <= text.length() ? search.first(text, next) : -1;
        }
        return evaluator.made(result.append(text, from, text.length()).toString());
    }

    private static JsPattern pattern(Evaluator evaluator, Arguments arguments, String flags) {
        if (OpaqueValue.in(arguments.at(0)) instanceof OpaqueValue.Regex(var pattern)) {
            return pattern;
        }
        var source = arguments.isGiven(0) ? evaluator.text(arguments.at(0)) : "(?:)";
        return JsPattern.compile(source, flags, evaluator.meter());
    }

    private static JsonNode match(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var pattern = pattern(evaluator, arguments, "");
        if (!pattern.isGlobal()) {
            return RegexMethods.first(evaluator, pattern, self.textValue());
        }
        var found = evaluator.newList();
        var matcher = pattern.on(self.textValue(), evaluator.meter());
        while (JsPattern.find(matcher)) {
            evaluator.add(found, evaluator.made(matcher.group()));
        }
        return found.isEmpty() ? NullNode.getInstance() : found;
    }

    private static JsonNode matchAll(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var pattern = pattern(evaluator, arguments, "g");
        if (!pattern.isGlobal()) {
            throw JsError.type("matchAll must be called with a global regular expression");
        }
        var found = evaluator.newList();
        var matcher = pattern.on(self.textValue(), evaluator.meter());
        while (JsPattern.find(matcher)) {
            evaluator.add(found, RegexMethods.matchOf(evaluator, pattern, matcher));
        }
        return found;
    }

    private static JsonNode search(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var matcher = pattern(evaluator, arguments, "").on(self.textValue(), evaluator.meter());
        return JsNumbers.node(JsPattern.find(matcher) ? matcher.start() : -1);
    }
}
