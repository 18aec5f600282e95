package io.millrace.sandbox.expression.evaluator;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.CombiningMarks;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.TextOrder;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;

public final class TextMethods {
    static final Map<String, Methods.Method> TABLE = Map.ofEntries(
            entry("toString", (_, self, _) -> self),
            entry("valueOf", (_, self, _) -> self),
            entry(
                    "toUpperCase",
                    (evaluator, self, _) -> evaluator.made(self.textValue().toUpperCase(Locale.ROOT))),
            entry(
                    "toLowerCase",
                    (evaluator, self, _) -> evaluator.made(self.textValue().toLowerCase(Locale.ROOT))),
            entry(
                    "toLocaleUpperCase",
                    (evaluator, self, _) -> evaluator.made(self.textValue().toUpperCase(Locale.ROOT))),
            entry(
                    "toLocaleLowerCase",
                    (evaluator, self, _) -> evaluator.made(self.textValue().toLowerCase(Locale.ROOT))),
            entry("trim", (evaluator, self, _) -> evaluator.made(JsText.trim(scanned(evaluator, self)))),
            entry("trimStart", (evaluator, self, _) -> evaluator.made(JsText.trimStart(scanned(evaluator, self)))),
            entry("trimEnd", (evaluator, self, _) -> evaluator.made(JsText.trimEnd(scanned(evaluator, self)))),
            entry("charAt", TextMethods::charAt),
            entry("charCodeAt", TextMethods::charCodeAt),
            entry("codePointAt", TextMethods::codePointAt),
            entry("at", TextMethods::at),
            entry("slice", TextMethods::slice),
            entry("substring", TextMethods::substring),
            entry("substr", TextMethods::substr),
            entry("padStart", (evaluator, self, arguments) -> pad(evaluator, self, arguments, true)),
            entry("padEnd", (evaluator, self, arguments) -> pad(evaluator, self, arguments, false)),
            entry("repeat", TextMethods::repeat),
            entry("concat", TextMethods::concat),
            entry("localeCompare", TextMethods::localeCompare),
            entry("normalize", TextMethods::normalize));

    /** Characters that normalization can make of one (Unicode Standard Annex 15). */
    private static final int CANONICAL_GROWTH_MAX = 4;

    private static final int COMPATIBILITY_GROWTH_MAX = 18;

    private TextMethods() {}

    /** The text, with the cost of a full scan: the result may be much shorter. */
    private static String scanned(Evaluator evaluator, JsonNode self) {
        evaluator.meter().scan(self.textValue().length());
        return self.textValue();
    }

    private static JsonNode charAt(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var at = arguments.integer(evaluator, 0, 0);
        return evaluator.made(at >= 0 && at < text.length() ? String.valueOf(text.charAt((int) at)) : "");
    }

    private static JsonNode charCodeAt(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var at = arguments.integer(evaluator, 0, 0);
        return JsNumbers.node(at >= 0 && at < text.length() ? text.charAt((int) at) : Double.NaN);
    }

    private static JsonNode codePointAt(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var at = arguments.integer(evaluator, 0, 0);
        return at >= 0 && at < text.length() ? JsNumbers.node(text.codePointAt((int) at)) : MissingNode.getInstance();
    }

    private static JsonNode at(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var wanted = arguments.integer(evaluator, 0, 0);
        var at = wanted < 0 ? text.length() + wanted : wanted;
        return at >= 0 && at < text.length()
                ? evaluator.made(String.valueOf(text.charAt((int) at)))
                : MissingNode.getInstance();
    }

    private static JsonNode slice(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var from = fromEnd(arguments.integer(evaluator, 0, 0), text.length());
        var to = fromEnd(arguments.integer(evaluator, 1, text.length()), text.length());
        return evaluator.made(from < to ? text.substring(from, to) : "");
    }

    /** A position as in {@code slice}: negative from the end, clamped to the length. */
    public static int fromEnd(double position, int length) {
        return clamp(position < 0 ? length + position : position, length);
    }

    public static int clamp(double position, int length) {
        return (int) Math.max(0, Math.min(position, length));
    }

    private static JsonNode substring(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var one = clamp(arguments.integer(evaluator, 0, 0), text.length());
        var other = clamp(arguments.integer(evaluator, 1, text.length()), text.length());
        return evaluator.made(text.substring(Math.min(one, other), Math.max(one, other)));
    }

    private static JsonNode substr(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var text = self.textValue();
        var from = fromEnd(arguments.integer(evaluator, 0, 0), text.length());
        var to = clamp(from + Math.max(0, arguments.integer(evaluator, 1, text.length())), text.length());
        return evaluator.made(text.substring(from, to));
    }

    private static JsonNode pad(Evaluator evaluator, JsonNode self, Arguments arguments, boolean atStart) {
        var text = self.textValue();
        var length = arguments.integer(evaluator, 0, 0);
        var filler = arguments.isGiven(1) ? evaluator.text(arguments.at(1)) : " ";
        if (length <= text.length() || filler.isEmpty()) {
            return self;
        }
        evaluator.meter().text((long) length);
        var missing = (int) length - text.length();
        var padding = filler.repeat(missing / filler.length() + 1).substring(0, missing);
        return TextNode.valueOf(atStart ? padding + text : text + padding);
    }

    private static JsonNode repeat(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var count = arguments.integer(evaluator, 0, 0);
        if (count < 0 || Double.isInfinite(count)) {
            throw JsError.range("invalid count value");
        }
        var text = self.textValue();
        if (text.isEmpty()) {
            return self;
        }
        evaluator.meter().text((long) Math.min(count * text.length(), 0x1p62));
        return TextNode.valueOf(text.repeat((int) count));
    }

    private static JsonNode concat(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = new StringBuilder(self.textValue());
        for (var argument : arguments.all()) {
            var text = evaluator.text(argument);
            result.append(text);
            evaluator.meter().grown(result, text.length());
        }
        return evaluator.made(result.toString());
    }

    private static JsonNode localeCompare(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var other = evaluator.text(arguments.at(0));
        meterNormalized(evaluator, self.textValue(), 1);
        meterNormalized(evaluator, other, 1);
        return JsNumbers.node(TextOrder.compare(self.textValue(), other));
    }

    private static JsonNode normalize(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var form = switch (arguments.isGiven(0) ? evaluator.text(arguments.at(0)) : "NFC") {
            case "NFC" -> Normalizer.Form.NFC;
            case "NFD" -> Normalizer.Form.NFD;
            case "NFKC" -> Normalizer.Form.NFKC;
            case "NFKD" -> Normalizer.Form.NFKD;
            default -> throw JsError.range("invalid normalization form");
        };
        var growth = form == Normalizer.Form.NFC || form == Normalizer.Form.NFD
                ? CANONICAL_GROWTH_MAX
                : COMPATIBILITY_GROWTH_MAX;
        meterNormalized(evaluator, self.textValue(), growth);
        return evaluator.made(Normalizer.normalize(self.textValue(), form));
    }

    private static void meterNormalized(Evaluator evaluator, String text, int growth) {
        evaluator.meter().text((long) text.length() * growth);
        evaluator.meter().scan(CombiningMarks.comparisons(text));
    }
}
