package io.millrace.engine.trigger.schedule;

/** A cron expression or time zone that cannot be understood; the message says what was expected and found. */
public final class InvalidCronExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidCronExpressionException(String message) {
        super("InvalidCronExpressionError: " + message, null, false, false);
    }
}
