package io.millrace.expression;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** The order of a dictionary: letters first, then accents, then lower case before upper case. */
final class TextOrder {
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    private TextOrder() {}

    static int compare(String first, String second) {
        var left = Normalizer.normalize(first, Normalizer.Form.NFD);
        var right = Normalizer.normalize(second, Normalizer.Form.NFD);
        var byLetters = letters(left).compareTo(letters(right));
        if (byLetters != 0) {
            return Integer.signum(byLetters);
        }
        var byAccents = left.toLowerCase(Locale.ROOT).compareTo(right.toLowerCase(Locale.ROOT));
        return Integer.signum(byAccents == 0 ? right.compareTo(left) : byAccents);
    }

    private static String letters(String decomposed) {
        return MARKS.matcher(decomposed).replaceAll("").toLowerCase(Locale.ROOT);
    }
}
