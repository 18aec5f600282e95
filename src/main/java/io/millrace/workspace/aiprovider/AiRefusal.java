package io.millrace.workspace.aiprovider;

/** A provider's no, or that nobody was there to say it. The text holds no key. */
public final class AiRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    AiRefusal(String message) {
        super(message, null, false, false);
    }
}
