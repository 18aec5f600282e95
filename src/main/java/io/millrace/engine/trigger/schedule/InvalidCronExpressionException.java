package io.millrace.engine.trigger.schedule;

/** Invalid cron expression or time zone; the message gives the expected and the found text. */
public final class InvalidCronExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidCronExpressionException(String message) {
        super("InvalidCronExpressionError: " + message, null, false, false);
    }
}
