package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

@FunctionalInterface
interface ReplaceValue {
    /**
     * One match.
     *
     * @param groups the whole match, then the groups; null for a group that did not participate
     * @param named the named groups; null when the pattern has none
     */
    record Match(String text, int start, List<String> groups, JsonNode named) {
        int end() {
            return start + groups.getFirst().length();
        }
    }

    String apply(Match match);

    static ReplaceValue of(Evaluator evaluator, JsonNode value) {
        var function = OpaqueValue.callableIn(value);
        if (function != null) {
            return match -> evaluator.text(Functions.call(function, evaluator, arguments(match)));
        }
        return of(evaluator.text(value), evaluator.meter());
    }

    static ReplaceValue of(String template, Meter meter) {
        meter.scan(template.length());
        return template.indexOf('$') < 0 ? _ -> template : match -> expand(template, match, meter);
    }

    private static Arguments arguments(Match match) {
        var values = new ArrayList<JsonNode>();
        for (var group : match.groups()) {
            values.add(group == null ? MissingNode.getInstance() : TextNode.valueOf(group));
        }
        values.add(JsNumbers.node(match.start()));
        values.add(TextNode.valueOf(match.text()));
        if (match.named() != null) {
            values.add(match.named());
        }
        return new Arguments(values);
    }

    private static String expand(String template, Match match, Meter meter) {
        var result = new StringBuilder();
        var at = 0;
        while (at < template.length()) {
            var c = template.charAt(at);
            var mark = c == '$' && at + 1 < template.length() ? template.charAt(at + 1) : ' ';
            var before = result.length();
            at += switch (mark) {
                case '$' -> append(result, "$");
                case '&' -> append(result, match.groups().getFirst());
                case '`' -> append(result, match.text().substring(0, match.start()));
                case '\'' -> append(result, match.text().substring(match.end()));
                case '<' -> appendNamed(result, template, at, match, meter);
                default -> appendNumbered(result, template, at, match);
            };
            meter.grown(result, result.length() - before);
        }
        return result.toString();
    }

    private static int append(StringBuilder result, String text) {
        result.append(text);
        return 2;
    }

    private static int appendNamed(StringBuilder result, String template, int at, Match match, Meter meter) {
        var close = match.named() == null ? -1 : template.indexOf('>', at);
        if (close < 0) {
            meter.scan(match.named() == null ? 0 : template.length() - at);
            result.append('$');
            return 1;
        }
        result.append(match.named().path(template.substring(at + 2, close)).asText(""));
        return close + 1 - at;
    }

    /** Two digits if that many groups exist, else one; any other character is copied. */
    private static int appendNumbered(StringBuilder result, String template, int at, Match match) {
        if (template.charAt(at) == '$') {
            for (var digits = 2; digits >= 1; digits--) {
                var group = groupNumber(template, at + 1, digits);
                if (group >= 1 && group < match.groups().size()) {
                    result.append(Objects.requireNonNullElse(match.groups().get(group), ""));
                    return 1 + digits;
                }
            }
        }
        result.append(template.charAt(at));
        return 1;
    }

    private static int groupNumber(String template, int from, int digits) {
        var number = 0;
        for (var i = from; i < from + digits; i++) {
            var c = i < template.length() ? template.charAt(i) : ' ';
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }
}
