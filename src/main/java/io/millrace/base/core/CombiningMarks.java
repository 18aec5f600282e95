package io.millrace.base.core;

import java.text.Normalizer;
import java.util.regex.Pattern;

/**
 * Combining marks of untrusted texts. The JDK's normalization sorts a sequence of marks in a time that grows with the square of its
 * length: 40,000 marks take seconds.
 */
public final class CombiningMarks {
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    private CombiningMarks() {}

    /** The number of comparisons in which the JDK normalizes a text, at most. */
    public static long comparisons(String text) {
        var total = 0L;
        var run = 0L;
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            if (character < 0x300) {
                run = 0;
            } else if (isMark(text, at)) {
                run++;
                total += run;
            } else if (!Character.isHighSurrogate(character)) {
                run = 0;
            }
        }
        return total;
    }

    /** True for marks, and for the two letters that a compatibility decomposition makes marks. */
    private static boolean isMark(String text, int at) {
        var character = text.charAt(at);
        var code = Character.isLowSurrogate(character) && at > 0 ? Character.codePointBefore(text, at + 1) : character;
        return switch (Character.getType(code)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> code == 0xff9e || code == 0xff9f;
        };
    }

    /** The normalized text without marks, those of its letters included. */
    public static String removed(String text, Normalizer.Form form) {
        var few = MARKS.matcher(text).replaceAll("");
        return MARKS.matcher(Normalizer.normalize(few, form)).replaceAll("");
    }
}
