package io.millrace.base.core;

/** Text of a peer as errors and logs may show it: on one line, without a character that steers a terminal, and cut. */
public final class ShownText {
    private ShownText() {}

    /** Control characters (of both sets: U+009B begins a sequence of a terminal) and direction characters become spaces; what is too long is cut between characters. */
    public static String of(String text, int lengthMax) {
        var start = text.substring(0, Math.min(text.length(), 2 * lengthMax));
        var shown = start.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\s]+", " ").strip();
        if (shown.length() <= lengthMax) {
            return shown;
        }
        var end = Character.isHighSurrogate(shown.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
        return shown.substring(0, end);
    }
}
