package io.millrace.workspace.aiprovider;

/** A provider refused a call or could not be reached. The text holds no key. */
public final class AiRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    AiRefusal(String message) {
        super(message, null, false, false);
    }
}
