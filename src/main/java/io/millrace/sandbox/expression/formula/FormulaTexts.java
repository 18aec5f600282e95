package io.millrace.sandbox.expression.formula;

import static io.millrace.sandbox.expression.formula.FormulaFunction.add;
import static io.millrace.sandbox.expression.formula.FormulaFunction.text;
import static io.millrace.sandbox.expression.formula.FormulaFunction.truth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.evaluator.TextMethods;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text functions (contract flows-and-engine 32.2). Missing and null count as empty text. */
final class FormulaTexts {
    private static final TextNode EMPTY = TextNode.valueOf("");

    private FormulaTexts() {}

    static void addTo(Map<String, FormulaFunction> table) {
        addWriting(table);
        addTaking(table);
        addAsking(table);
    }

    private static void addWriting(Map<String, FormulaFunction> table) {
        add(table, "combine", "ttt", FormulaTexts::combine);
        add(
                table,
                "uppercase",
                "t",
                (evaluator, arguments) ->
                        evaluator.made(text(evaluator, arguments, 0).toUpperCase(Locale.ROOT)));
        add(
                table,
                "lowercase",
                "t",
                (evaluator, arguments) ->
                        evaluator.made(text(evaluator, arguments, 0).toLowerCase(Locale.ROOT)));
        add(table, "titlecase", "t", FormulaTexts::titlecase);
        add(table, "trim", "t", (evaluator, arguments) -> evaluator.made(JsText.trim(scanned(evaluator, arguments))));
        add(
                table,
                "prefix",
                "tt",
                (evaluator, arguments) ->
                        joined(evaluator, text(evaluator, arguments, 1), text(evaluator, arguments, 0)));
        add(
                table,
                "suffix",
                "tt",
                (evaluator, arguments) ->
                        joined(evaluator, text(evaluator, arguments, 0), text(evaluator, arguments, 1)));
        add(
                table,
                "replace",
                "ttt",
                (evaluator, arguments) -> replaced(evaluator, arguments, text(evaluator, arguments, 2)));
        add(table, "remove", "tt", (evaluator, arguments) -> replaced(evaluator, arguments, ""));
        add(
                table,
                "remove_spaces",
                "t",
                (evaluator, arguments) -> evaluator.made(String.join(" ", words(evaluator, arguments))));
    }

    private static void addTaking(Map<String, FormulaFunction> table) {
        add(table, "first_n", "tv", FormulaTexts::firstN);
        add(table, "last_n", "tv", FormulaTexts::lastN);
        add(table, "truncate", "tv", FormulaTexts::truncate);
        add(table, "split", "ttv", FormulaTexts::split);
        add(table, "extract_between", "ttt", FormulaTexts::extractBetween);
        add(
                table,
                "extract_email",
                "t",
                (evaluator, arguments) -> evaluator.made(TextFinds.email(scanned(evaluator, arguments))));
        add(
                table,
                "extract_url",
                "t",
                (evaluator, arguments) -> evaluator.made(TextFinds.url(scanned(evaluator, arguments))));
    }

    private static void addAsking(Map<String, FormulaFunction> table) {
        add(
                table,
                "length",
                "t",
                (evaluator, arguments) -> JsNumbers.node(
                        arguments.at(0).isArray()
                                ? arguments.at(0).size()
                                : text(evaluator, arguments, 0).length()));
        add(
                table,
                "contains",
                "tt",
                (evaluator, arguments) ->
                        truth(Substrings.contains(scanned(evaluator, arguments), text(evaluator, arguments, 1))));
        add(
                table,
                "starts_with",
                "tt",
                (evaluator, arguments) ->
                        truth(scanned(evaluator, arguments).startsWith(text(evaluator, arguments, 1))));
        add(
                table,
                "ends_with",
                "tt",
                (evaluator, arguments) -> truth(scanned(evaluator, arguments).endsWith(text(evaluator, arguments, 1))));
        add(
                table,
                "word_count",
                "t",
                (evaluator, arguments) ->
                        JsNumbers.node(words(evaluator, arguments).size()));
    }

    private static JsonNode combine(Evaluator evaluator, Arguments arguments) {
        return joined(
                evaluator, text(evaluator, arguments, 0), text(evaluator, arguments, 2), text(evaluator, arguments, 1));
    }

    private static JsonNode joined(Evaluator evaluator, String... pieces) {
        var length = 0L;
        for (var piece : pieces) {
            length += piece.length();
        }
        evaluator.meter().text(length);
        return TextNode.valueOf(String.join("", pieces));
    }

    /** Changes the first letter or digit of each word to upper case, all others to lower case. */
    private static JsonNode titlecase(Evaluator evaluator, Arguments arguments) {
        var text = scanned(evaluator, arguments);
        var result = new StringBuilder(text.length());
        var isInWord = false;
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            var piece = String.valueOf(c);
            if (JsText.isSpace(c)) {
                isInWord = false;
                result.append(c);
            } else if (isInWord) {
                result.append(piece.toLowerCase(Locale.ROOT));
            } else {
                isInWord = Character.isLetterOrDigit(c) || c == '_';
                result.append(piece.toUpperCase(Locale.ROOT));
            }
        }
        return evaluator.made(result.toString());
    }

    /** Replaces every occurrence; an empty text occurs between any two characters. */
    private static JsonNode replaced(Evaluator evaluator, Arguments arguments, String by) {
        var text = scanned(evaluator, arguments);
        var find = text(evaluator, arguments, 1);
        var meter = evaluator.meter();
        var result = new StringBuilder();
        var from = 0;
        var search = new Substrings.Search(find);
        var at = search.first(text, find.isEmpty() ? 1 : 0);
        while (at >= 0 && (at < text.length() || !find.isEmpty())) {
            var before = result.length();
            result.append(text, from, at).append(by);
            meter.grown(result, result.length() - before);
            from = at + find.length();
            at = search.first(text, find.isEmpty() ? from + 1 : from);
        }
        return evaluator.made(result.append(text, from, text.length()).toString());
    }

    private static JsonNode firstN(Evaluator evaluator, Arguments arguments) {
        var text = text(evaluator, arguments, 0);
        return evaluator.made(beginning(text, arguments.number(evaluator, 1)));
    }

    /** A negative length counts from the end. */
    private static String beginning(String text, double length) {
        return text.substring(0, TextMethods.fromEnd(JsNumbers.integer(length), text.length()));
    }

    private static JsonNode lastN(Evaluator evaluator, Arguments arguments) {
        var text = text(evaluator, arguments, 0);
        var from = Math.max(0, text.length() - arguments.number(evaluator, 1));
        return evaluator.made(text.substring(TextMethods.clamp(JsNumbers.integer(from), text.length())));
    }

    private static JsonNode truncate(Evaluator evaluator, Arguments arguments) {
        var text = text(evaluator, arguments, 0);
        var length = arguments.number(evaluator, 1);
        return evaluator.made(text.length() > length ? beginning(text, length) + "..." : text);
    }

    private static JsonNode split(Evaluator evaluator, Arguments arguments) {
        var parts = parts(evaluator, text(evaluator, arguments, 0), text(evaluator, arguments, 1));
        var index = arguments.number(evaluator, 2);
        return index >= 0 && index < parts.size() && index == (int) index
                ? TextNode.valueOf(parts.get((int) index))
                : EMPTY;
    }

    /** Parts between separators; an empty separator splits between any two characters. */
    static List<String> parts(Evaluator evaluator, String text, String separator) {
        evaluator.meter().scan(text.length());
        var parts = new ArrayList<String>();
        var from = 0;
        var search = new Substrings.Search(separator);
        var at = search.first(text, separator.isEmpty() ? 1 : 0);
        while (at >= 0 && (at < text.length() || !separator.isEmpty())) {
            evaluator.meter().element();
            parts.add(text.substring(from, at));
            from = at + separator.length();
            at = search.first(text, separator.isEmpty() ? from + 1 : from);
        }
        if (!text.isEmpty() || !separator.isEmpty()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    private static JsonNode extractBetween(Evaluator evaluator, Arguments arguments) {
        var text = scanned(evaluator, arguments);
        var start = text(evaluator, arguments, 1);
        var from = Substrings.first(text, start, 0);
        var to = from < 0 ? -1 : Substrings.first(text, text(evaluator, arguments, 2), from + start.length());
        return to < 0 ? EMPTY : evaluator.made(text.substring(from + start.length(), to));
    }

    private static String scanned(Evaluator evaluator, Arguments arguments) {
        var text = text(evaluator, arguments, 0);
        evaluator.meter().scan(text.length());
        return text;
    }

    private static List<String> words(Evaluator evaluator, Arguments arguments) {
        var text = scanned(evaluator, arguments);
        var words = new ArrayList<String>();
        var start = -1;
        for (var i = 0; i <= text.length(); i++) {
            var isSpace = i == text.length() || JsText.isSpace(text.charAt(i));
            if (!isSpace && start < 0) {
                start = i;
            } else if (isSpace && start >= 0) {
                evaluator.meter().element();
                words.add(text.substring(start, i));
                start = -1;
            }
        }
        return words;
    }
}
