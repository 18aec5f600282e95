package io.millrace.base.persistence.migration;

import io.millrace.base.config.BadSetting;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Properties that a database must have before its first migration: release of PostgreSQL and encoding. */
final class ServerRequirement {
    /** Oldest release that its developers maintain and that tests cover. */
    static final int RELEASE_MIN = 15;

    private static final String ENCODING = "UTF8";
    private static final int VERSIONS_PER_RELEASE = 10_000;
    private static final String SETTINGS = "select current_setting('server_version_num')::int as version,"
            + " current_setting('server_encoding') as encoding, current_database() as database,"
            + " array(select name || '=' || setting from pg_settings where setting = 'off'"
            + " and name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name) as unsafe";

    private static final RowMapper<Properties> PROPERTIES = RowMapper.of(Properties.class, SETTINGS);

    private record Properties(int version, String encoding, String database, List<String> unsafe) {}

    private static final Logger LOG = LoggerFactory.getLogger(ServerRequirement.class);

    private ServerRequirement() {}

    /** Fails with {@link BadSetting}, which names the cure. Warns of settings by which a loss of power loses data. */
    static Future<Void> check(Database database) {
        return database.read(tx -> tx.query(SETTINGS)).compose(rows -> {
            var found = PROPERTIES.only(rows);
            warning(found.unsafe(), found.database()).ifPresent(LOG::warn);
            return problem(found.version(), found.encoding(), found.database())
                    .map(problem -> Future.<Void>failedFuture(new BadSetting(problem)))
                    .orElseGet(Future::succeededFuture);
        });
    }

    /**
     * Warning of a database that confirms transactions before they are on disk; empty if it has no such setting.
     *
     * @param unsafe settings with their values
     */
    static Optional<String> warning(List<String> unsafe, String database) {
        return unsafe.isEmpty()
                ? Optional.empty()
                : Optional.of("the database " + database + " has " + String.join(", ", unsafe)
                        + ": runs that were accepted can be lost when its machine loses power; set "
                        + unsafe.stream()
                                .map(setting -> setting.replace("=off", "=on"))
                                .collect(Collectors.joining(", ")));
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
