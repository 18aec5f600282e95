package io.millrace.base.persistence.postgres;

public final class DataDirectoryInUseException extends PostgresStartException {
    private static final long serialVersionUID = 1;

    DataDirectoryInUseException(String message) {
        super(message);
    }
}
