package io.millrace.piece.builtin.action;

import io.millrace.piece.PieceFailure;

/** How many values a result may have: each costs many times the characters it was written with. */
public final class BoundedList {
    public static final int VALUES_MAX = 1_000_000;

    private BoundedList() {}

    /** Refuses a result of so many values. */
    public static void check(long values) {
        if (values > VALUES_MAX) {
            throw PieceFailure.of("Expected a result of at most " + VALUES_MAX + " values, found more");
        }
    }
}
