package io.millrace.piece;

/** A step that did not fail by its own word: what ran it was ended. Ends the run in the status that says why. */
public final class PieceBroke extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Cause why;

    /** Cause of the failure. */
    public enum Cause {
        /** It ran longer than it may. */
        TIME,
        /** It wanted more memory than it may have. */
        MEMORY,
        /** Its process ended, or a part of the server that it needs was out of reach. */
        INTERNAL
    }

    public PieceBroke(Cause why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    public Cause why() {
        return why;
    }
}
