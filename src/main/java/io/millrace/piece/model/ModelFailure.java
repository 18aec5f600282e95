package io.millrace.piece.model;

/** A model could not be asked; the message is for people: {@code <provider> (<model>): <what the provider said>}. */
public final class ModelFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean retriable;
    private final boolean ofBudget;
    private final long retryAfterMs;

    /** @param retriable whether the failure may pass by itself */
    public ModelFailure(String message, boolean retriable) {
        this(message, retriable, 0);
    }

    /** @param retryAfterMs how long the provider wants to be left alone; 0 when it does not say */
    public ModelFailure(String message, boolean retriable, long retryAfterMs) {
        this(message, retriable, retryAfterMs, false);
    }

    private ModelFailure(String message, boolean retriable, long retryAfterMs, boolean ofBudget) {
        super(message, null, false, false);
        this.retriable = retriable;
        this.retryAfterMs = retryAfterMs;
        this.ofBudget = ofBudget;
    }

    /** Nothing was asked: the project may use no more. */
    public static ModelFailure ofBudget(String message) {
        return new ModelFailure(message, false, 0, true);
    }

    /** Whether the project has used up what it may. */
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
