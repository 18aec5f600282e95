package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;

final class RegexMethods {
    static final Map<String, Methods.Method> TABLE = Map.of(
            "test",
            (evaluator, self, arguments) -> BooleanNode.valueOf(
                    JsPattern.find(patternOf(self).on(evaluator.text(arguments.at(0)), evaluator.meter()))),
            "exec",
            (evaluator, self, arguments) -> first(evaluator, patternOf(self), evaluator.text(arguments.at(0))),
            "toString",
            (evaluator, self, _) -> evaluator.made(evaluator.text(self)));

    private RegexMethods() {}

    private static JsPattern patternOf(JsonNode self) {
        if (OpaqueValue.in(self) instanceof OpaqueValue.Regex(var pattern)) {
            return pattern;
        }
        throw JsError.type("value is not a regular expression");
    }

    /** The first match with its groups, or null. */
    static JsonNode first(Evaluator evaluator, JsPattern pattern, String text) {
        var matcher = pattern.on(text, evaluator.meter());
        return JsPattern.find(matcher) ? matchOf(evaluator, pattern, matcher) : NullNode.getInstance();
    }

    static JsonNode matchOf(Evaluator evaluator, JsPattern pattern, Matcher matcher) {
        var match = evaluator.newList();
        evaluator.remember(
                match, new Evaluator.MatchDetails(JsNumbers.node(matcher.start()), named(evaluator, pattern, matcher)));
        for (var i = 0; i <= matcher.groupCount(); i++) {
            evaluator.add(match, group(evaluator, matcher.group(i)));
        }
        return match;
    }

    private static JsonNode group(Evaluator evaluator, String text) {
        return text == null ? MissingNode.getInstance() : evaluator.made(text);
    }

    private static JsonNode named(Evaluator evaluator, JsPattern pattern, Matcher matcher) {
        if (pattern.groupNames().isEmpty()) {
            return MissingNode.getInstance();
        }
        var groups = evaluator.newObject();
        pattern.groupNames()
                .forEach(
                        (name, translated) -> evaluator.put(groups, name, group(evaluator, matcher.group(translated))));
        return groups;
    }

    static JsonNode replace(Evaluator evaluator, JsPattern pattern, String text, ReplaceValue replacement) {
        var matcher = pattern.on(text, evaluator.meter());
        var result = new StringBuilder();
        var from = 0;
        while (JsPattern.find(matcher)) {
            var groups = new ArrayList<String>();
            for (var i = 0; i <= matcher.groupCount(); i++) {
                groups.add(matcher.group(i));
            }
            var named = pattern.groupNames().isEmpty() ? null : named(evaluator, pattern, matcher);
            var replaced = replacement.apply(new ReplaceValue.Match(text, matcher.start(), groups, named));
            result.append(text, from, matcher.start()).append(replaced);
            evaluator.meter().grown(result, matcher.start() - from + replaced.length());
            from = matcher.end();
            if (!pattern.isGlobal()) {
                break;
            }
        }
        return evaluator.made(result.append(text, from, text.length()).toString());
    }

    static JsonNode split(Evaluator evaluator, JsPattern pattern, String text, double limit) {
        var parts = evaluator.newList();
        var matcher = pattern.on(text, evaluator.meter());
        var from = 0;
        while (JsPattern.find(matcher) && parts.size() < limit) {
            var isEmptyMatchAtEdge = matcher.end() == from || matcher.start() >= text.length();
            if (isEmptyMatchAtEdge && !text.isEmpty()) {
                continue;
            }
            if (text.isEmpty()) {
                return parts;
            }
            evaluator.add(parts, evaluator.made(text.substring(from, matcher.start())));
            for (var i = 1; i <= matcher.groupCount() && parts.size() < limit; i++) {
                evaluator.add(parts, group(evaluator, matcher.group(i)));
            }
            from = matcher.end();
        }
        if (parts.size() < limit) {
            evaluator.add(parts, evaluator.made(text.substring(from)));
        }
        return parts;
    }
}
