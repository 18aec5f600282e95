package io.millrace.base.persistence.postgres;

import io.millrace.base.persistence.MigrationIndex;

/** Releases that data depends on. */
public final class PostgresRelease {
    private PostgresRelease() {}

    /** Release of the embedded PostgreSQL. */
    public static String embedded() {
        return PostgresBinaries.VERSION;
    }

    /** Number of the newest migration of this release. */
    public static String schema() {
        return MigrationIndex.read("db").versions().getLast();
    }
}
