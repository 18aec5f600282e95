package io.millrace.base.persistence.postgres;

/** Embedded PostgreSQL cannot be started; the message names the cause and the remedy for an operator. */
public class PostgresStartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PostgresStartException(String message) {
        super(message);
    }

    PostgresStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
