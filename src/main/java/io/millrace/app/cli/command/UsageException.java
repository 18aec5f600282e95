package io.millrace.app.cli.command;

/** Words that no command understands; the message says what was expected and what was found. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
