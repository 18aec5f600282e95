package io.millrace.piece.model;

/** A schema of a tool that no provider accepts and that cannot be mended; the message says why, for the record of a run. */
public final class UnusableSchema extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnusableSchema(String message) {
        super(message);
    }
}
