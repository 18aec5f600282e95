package io.millrace.base.secret;

/** A sealed value that does not open: altered, moved to another place, or sealed with another key. */
public final class UnreadableSecretException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableSecretException(String message) {
        super(message);
    }
}
