package io.millrace.sandbox.expression.value;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Dictionary order, as in JavaScript engines: blanks, punctuation, symbols, digits, letters; then accents, then lower case before
 * upper case.
 */
public final class TextOrder {
    /** ASCII characters besides digits and letters, in the order of the Unicode collation. */
    private static final String MARKS_IN_ORDER = "\t\n\u000b\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

    private static final int SYMBOLS = MARKS_IN_ORDER.length();
    private static final int DIGITS_AND_LETTERS = SYMBOLS + Character.MAX_VALUE + 1;

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    private TextOrder() {}

    public static int compare(String first, String second) {
        var left = Normalizer.normalize(first, Normalizer.Form.NFD);
        var right = Normalizer.normalize(second, Normalizer.Form.NFD);
        var byLetters = byRank(letters(left), letters(right));
        if (byLetters != 0) {
            return Integer.signum(byLetters);
        }
        var byAccents = left.toLowerCase(Locale.ROOT).compareTo(right.toLowerCase(Locale.ROOT));
        return Integer.signum(byAccents == 0 ? right.compareTo(left) : byAccents);
    }

    private static int byRank(String first, String second) {
        var length = Math.min(first.length(), second.length());
        for (var i = 0; i < length; i++) {
            if (first.charAt(i) != second.charAt(i)) {
                return Integer.compare(rank(first.charAt(i)), rank(second.charAt(i)));
            }
        }
        return Integer.compare(first.length(), second.length());
    }

    private static int rank(char character) {
        if (Character.isLetterOrDigit(character) || Character.isSurrogate(character)) {
            return DIGITS_AND_LETTERS + character;
        }
        var known = MARKS_IN_ORDER.indexOf(character);
        return known < 0 ? SYMBOLS + character : known;
    }

    private static String letters(String decomposed) {
        return MARKS.matcher(decomposed).replaceAll("").toLowerCase(Locale.ROOT);
    }
}
