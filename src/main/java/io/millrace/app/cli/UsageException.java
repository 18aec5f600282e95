package io.millrace.app.cli;

/** Words that no command understands; the message says what was expected and what was found. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
