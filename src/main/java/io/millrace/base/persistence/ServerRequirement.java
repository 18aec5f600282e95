package io.millrace.base.persistence;

import io.millrace.base.config.BadSetting;
import io.vertx.core.Future;
import java.util.Optional;

/** Properties that a database must have before its first migration: release of PostgreSQL and encoding. */
final class ServerRequirement {
    /** Oldest release that its developers maintain and that tests cover. */
    static final int RELEASE_MIN = 15;

    private static final String ENCODING = "UTF8";
    private static final int VERSIONS_PER_RELEASE = 10_000;
    private static final String SETTINGS = "select current_setting('server_version_num')::int as version,"
            + " current_setting('server_encoding') as encoding, current_database() as database";

    private ServerRequirement() {}

    /** Fails with {@link BadSetting}, which names the cure. */
    static Future<Void> check(Database database) {
        return database.read(tx -> tx.query(SETTINGS)).compose(rows -> {
            var row = rows.iterator().next();
            return problem(Rows.integer(row, "version"), Rows.text(row, "encoding"), Rows.text(row, "database"))
                    .map(problem -> Future.<Void>failedFuture(new BadSetting(problem)))
                    .orElseGet(Future::succeededFuture);
        });
    }

    /**
     * Problem of a database and its remedy; empty when it can be used.
     *
     * @param version in the form of {@code server_version_num}
     */
    static Optional<String> problem(int version, String encoding, String database) {
        var release = version / VERSIONS_PER_RELEASE;
        if (release < RELEASE_MIN) {
            return Optional.of("the database server of AP_POSTGRES_URL is PostgreSQL " + release + ", expected "
                    + RELEASE_MIN + " or newer; upgrade it (pg_upgrade), or use another server");
        }
        return encoding.equals(ENCODING)
                ? Optional.empty()
                : Optional.of("the database " + database + " has the encoding " + encoding + ", expected " + ENCODING
                        + ", which holds every character; create another and name it in AP_POSTGRES_URL: CREATE DATABASE "
                        + "millrace ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;");
    }
}
