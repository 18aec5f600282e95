package io.millrace.base.core.text;

/** Text of a peer for errors and logs: on one line, without terminal control characters, and truncated. */
public final class ShownText {
    private ShownText() {}

    /**
     * Control characters (of both sets: U+009B begins a sequence of a terminal) and direction characters become spaces; a
     * longer text is cut between characters.
     */
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
