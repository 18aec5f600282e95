package io.millrace.sandbox.npm;

/** A package that cannot be installed; the message says why, to whoever wants to install it. */
public final class BadPackage extends Exception {
    private static final long serialVersionUID = 1;

    public BadPackage(String message) {
        super(message);
    }

    public BadPackage(String message, Throwable cause) {
        super(message, cause);
    }
}
