package io.millrace.base.persistence.postgres;

/** Identifies the server that this program contains. */
public final class PostgresRelease {
    private PostgresRelease() {}

    /** Release of the embedded PostgreSQL. */
    public static String embedded() {
        return PostgresBinaries.VERSION;
    }
}
