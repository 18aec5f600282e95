package io.millrace.piece.model;

/**
 * A tool schema that no provider accepts and that cannot be repaired; the message contains the reason, for the record
 * of a run.
 */
public final class UnusableSchema extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnusableSchema(String message) {
        super(message);
    }
}
