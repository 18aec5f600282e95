package io.millrace.base.core;

/** Texts of limited length. A character of two units is kept whole or left out: half of one cannot be written as UTF-8. */
public final class CutText {
    private CutText() {}

    /** The text, or its beginning if it is longer than the limit, which is at least 1. */
    public static String of(String text, int lengthMax) {
        return marked(text, lengthMax, "");
    }

    /** The text, or its beginning and a mark if it is longer than the limit, which is at least 1. */
    public static String marked(String text, int lengthMax, String mark) {
        if (text.length() <= lengthMax) {
            return text;
        }
        var end = Character.isHighSurrogate(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
        return text.substring(0, end) + mark;
    }
}
