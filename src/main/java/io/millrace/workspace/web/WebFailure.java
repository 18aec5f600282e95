package io.millrace.workspace.web;

/** Nothing came of it; the message is for the model, and holds no key. */
public final class WebFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    WebFailure(String message, boolean passing) {
        super(message, null, false, false);
        this.passing = passing;
    }

    /** Whether the same may succeed later. */
    public boolean isPassing() {
        return passing;
    }
}
