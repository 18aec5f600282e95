package io.millrace.base.persistence.postgres;

public final class PostgresRelease {
    private PostgresRelease() {}

    public static String embedded() {
        return PostgresBinaries.VERSION;
    }
}
