package io.millrace.piece;

/** The process of a step ended abnormally, without a result of the action. Ends the run in the status of the cause. */
public final class PieceCrash extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Cause why;

    public enum Cause {
        TIME,
        MEMORY,
        /** The process ended, or a required part of the server was unavailable. */
        INTERNAL
    }

    public PieceCrash(Cause why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    public Cause why() {
        return why;
    }
}
