package io.millrace.piece.builtin.action;

import io.millrace.piece.PieceFailure;

/** Limit on the number of values in a result. Each value needs many times the memory of its source characters. */
public final class BoundedList {
    public static final int VALUES_MAX = 1_000_000;

    private BoundedList() {}

    public static void check(long values) {
        if (values > VALUES_MAX) {
            throw PieceFailure.of("Expected a result of at most " + VALUES_MAX + " values, found more");
        }
    }
}
