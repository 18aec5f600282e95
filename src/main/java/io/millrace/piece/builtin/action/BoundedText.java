package io.millrace.piece.builtin.action;

import io.millrace.piece.PieceFailure;

public final class BoundedText {
    private final StringBuilder text = new StringBuilder();
    private boolean begun;

    /** Returns whether any text was appended, including an empty one. */
    public boolean hasParts() {
        return begun;
    }

    public BoundedText append(String part) {
        begun = true;
        check((long) text.length() + part.length());
        text.append(part);
        return this;
    }

    public static void check(long length) {
        if (length > ComputedAction.SIZE_MAX) {
            throw PieceFailure.of("Expected a result of at most " + ComputedAction.SIZE_MAX
                    + " characters, found one of " + length + " or more");
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
