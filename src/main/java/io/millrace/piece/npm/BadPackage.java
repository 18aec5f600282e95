package io.millrace.piece.npm;

/** A package that cannot be installed; the message says why, to whoever wants to install it. */
final class BadPackage extends Exception {
    private static final long serialVersionUID = 1;

    BadPackage(String message) {
        super(message);
    }

    BadPackage(String message, Throwable cause) {
        super(message, cause);
    }
}
