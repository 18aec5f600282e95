package io.millrace.piece.model;

/** A model could not be asked; the message is for people: {@code <provider> (<model>): <what the provider said>}. */
public final class ModelFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean retriable;
    private final boolean ofBudget;

    /** @param retriable whether the failure may pass by itself */
    public ModelFailure(String message, boolean retriable) {
        this(message, retriable, false);
    }

    private ModelFailure(String message, boolean retriable, boolean ofBudget) {
        super(message, null, false, false);
        this.retriable = retriable;
        this.ofBudget = ofBudget;
    }

    /** Nothing was asked: the project may use no more. */
    public static ModelFailure ofBudget(String message) {
        return new ModelFailure(message, false, true);
    }

    /** Whether the project has used up what it may. */
    public boolean isOfBudget() {
        return ofBudget;
    }

    public boolean isRetriable() {
        return retriable;
    }
}
