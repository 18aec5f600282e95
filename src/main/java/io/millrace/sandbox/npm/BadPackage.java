package io.millrace.sandbox.npm;

/** A package that cannot be installed; the message states the reason for the author. */
public final class BadPackage extends Exception {
    private static final long serialVersionUID = 1;

    public BadPackage(String message) {
        super(message);
    }

    public BadPackage(String message, Throwable cause) {
        super(message, cause);
    }
}
