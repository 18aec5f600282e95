package io.millrace.base.persistence.postgres;

/** Another Millrace runs on the data directory. */
public final class DataDirectoryInUseException extends PostgresStartException {
    private static final long serialVersionUID = 1;

    DataDirectoryInUseException(String message) {
        super(message);
    }
}
