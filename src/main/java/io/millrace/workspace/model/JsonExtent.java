package io.millrace.workspace.model;

/**
 * Position in a JSON value that arrives in pieces: whether its end has been reached. Each character is looked at once, so that a
 * long value in many small pieces takes time with its length only.
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

    /** True if an object, an array or a text that began first has ended. */
    boolean isComplete() {
        return isComplete;
    }
}
