package io.millrace.workspace.web;

/** Failed call of a web tool; the message is for the model, and holds no key. */
public final class WebFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    WebFailure(String message, boolean passing) {
        super(message, null, false, false);
        this.passing = passing;
    }

    /** True when a retry may succeed. */
    public boolean isPassing() {
        return passing;
    }
}
