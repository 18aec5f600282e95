package io.millrace.piece.model;

/** A call of a model failed; the message is for users: {@code <provider> (<model>): <message of the provider>}. */
public final class ModelFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean retriable;
    private final boolean ofBudget;
    private final long retryAfterMs;

    public ModelFailure(String message, boolean retriable) {
        this(message, retriable, 0);
    }

    /**
     * Creates a failure with a retry delay.
     *
     * @param retryAfterMs delay in ms that the provider asks for; 0 for none
     */
    public ModelFailure(String message, boolean retriable, long retryAfterMs) {
        this(message, retriable, retryAfterMs, false);
    }

    private ModelFailure(String message, boolean retriable, long retryAfterMs, boolean ofBudget) {
        super(message, null, false, false);
        this.retriable = retriable;
        this.retryAfterMs = retryAfterMs;
        this.ofBudget = ofBudget;
    }

    /** Failure without a call, because the project's budget is exhausted. */
    public static ModelFailure ofBudget(String message) {
        return new ModelFailure(message, false, 0, true);
    }

    public boolean isOfBudget() {
        return ofBudget;
    }

    public long retryAfterMs() {
        return retryAfterMs;
    }

    public boolean isRetriable() {
        return retriable;
    }
}
