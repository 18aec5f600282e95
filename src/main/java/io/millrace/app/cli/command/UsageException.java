package io.millrace.app.cli.command;

/** Invalid arguments; the message gives the expected and the found words. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
