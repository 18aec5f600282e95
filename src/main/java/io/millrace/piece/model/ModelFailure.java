package io.millrace.piece.model;

/** A model could not be asked; the message is for people: {@code <provider> (<model>): <what the provider said>}. */
public final class ModelFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean retriable;

    /** @param retriable whether the failure may pass by itself */
    public ModelFailure(String message, boolean retriable) {
        super(message, null, false, false);
        this.retriable = retriable;
    }

    public boolean isRetriable() {
        return retriable;
    }
}
