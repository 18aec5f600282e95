package io.millrace.base.backup;

/** A backup cannot be made or used; the message says what was expected and found. The database is unchanged. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BackupException(String message) {
        super(message);
    }

    BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
