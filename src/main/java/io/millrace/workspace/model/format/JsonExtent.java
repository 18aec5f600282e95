package io.millrace.workspace.model.format;

/**
 * Detects the end of a JSON value that arrives in fragments. Each character is scanned once, so that a long value in many
 * small fragments takes linear time.
 */
final class JsonExtent {
    private int depth;
    private boolean isText;
    private boolean isEscaped;
    private boolean isComplete;

    void add(String piece) {
        for (var at = 0; at < piece.length(); at++) {
            add(piece.charAt(at));
        }
    }

    private void add(char character) {
        if (isText) {
            addToText(character);
            return;
        }
        switch (character) {
            case '"' -> isText = true;
            case '{', '[' -> depth++;
            case '}', ']' -> {
                depth--;
                isComplete |= depth == 0;
            }
            default -> {
                // White space, a literal or a separator.
            }
        }
    }

    private void addToText(char character) {
        if (isEscaped) {
            isEscaped = false;
        } else if (character == '\\') {
            isEscaped = true;
        } else if (character == '"') {
            isText = false;
            isComplete |= depth == 0;
        }
    }

    /** True if the first object, array or text has ended. */
    boolean isComplete() {
        return isComplete;
    }
}
