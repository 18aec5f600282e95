package io.millrace.base.persistence.migration;

import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Migrates the schema to this release: numbered files, forward only, under Flyway's lock, so that of several nodes that start
 * together one migrates and the others wait. An up-to-date schema is recognized by one statement, because Flyway and JDBC
 * would cost half a second of every start.
 */
public final class Migrations {
    /**
     * Result of a migration.
     *
     * @param wasNeeded true if Flyway ran at all
     * @param applied migrations that were executed
     */
    public record Outcome(boolean wasNeeded, int applied) {}

    /** A schema of a newer release is refused instead. */
    public enum SchemaState {
        EMPTY,
        OLDER,
        CURRENT
    }

    private static final String HISTORY_EXISTS = "select to_regclass('flyway_schema_history') is not null as found";

    /** Key of the advisory lock of migrations; an arbitrary number that no other code locks. */
    private static final long LOCK = 0x6d696c6c6d696772L;

    /**
     * A large database takes long to back up and to migrate; threads of the default pool are reported as blocked after a
     * minute.
     */
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final String SUCCEEDED = """
        select version from flyway_schema_history where version is not null and success order by installed_rank
        """;

    private static final String HISTORY =
            "select version, success from flyway_schema_history where version is not null order by installed_rank";

    private static final RowMapper<AppliedMigration> APPLIED = RowMapper.of(AppliedMigration.class, HISTORY);

    private record AppliedMigration(String version, boolean success) {}

    private final Vertx vertx;
    private final String location;

    private Migrations(Vertx vertx, String location) {
        this.vertx = vertx;
        this.location = location;
    }

    public static Migrations of(Vertx vertx) {
        return at(vertx, "db");
    }

    static Migrations at(Vertx vertx, String location) {
        return new Migrations(vertx, location);
    }

    public static String newest() {
        return MigrationIndex.read("db").versions().getLast();
    }

    /** Fails when the database was written by a newer release, or when a migration fails. */
    public Future<Outcome> apply(Database database, DatabaseSettings settings) {
        return apply(database, settings, _ -> {});
    }

    /**
     * The same.
     *
     * @param beforehand action before the migration of a database with data, performed by the one of several nodes that
     *     migrates; an exception prevents the migration
     */
    public Future<Outcome> apply(Database database, DatabaseSettings settings, Consumer<DatabaseSettings> beforehand) {
        var known = MigrationIndex.read(location).versions();
        return permitted(applied(database), settings).compose(applied -> {
            if (applied.equals(known)) {
                return Future.succeededFuture(new Outcome(false, 0));
            }
            refuseNewer(applied, known);
            var hasNothing = applied.isEmpty();
            return ServerRequirement.check(database).compose(_ -> {
                var executor = WorkerThreads.open(vertx, "migrations", 1, LONGEST);
                return executor.<Outcome>executeBlocking(
                                () -> new Outcome(
                                        true, hasNothing ? migrate(settings) : migrate(settings, known, beforehand)),
                                false)
                        .eventually(executor::close);
            });
        });
    }

    private <T> Future<T> permitted(Future<T> read, DatabaseSettings settings) {
        return read.recover(failure -> vertx.executeBlocking(() -> MissingRight.of(failure, settings), false)
                .compose(right ->
                        Future.failedFuture(right.<Throwable>map(named -> named).orElse(failure))));
    }

    /** Nodes that start together wait here until the first one has migrated. */
    private int migrate(DatabaseSettings settings, List<String> known, Consumer<DatabaseSettings> beforehand)
            throws SQLException {
        try (var connection = JdbcConnections.open(settings, "millrace-migrations")) {
            JdbcConnections.all(connection, "select pg_advisory_lock(" + LOCK + ")", _ -> "");
            if (!JdbcConnections.all(connection, SUCCEEDED, row -> row.getString("version"))
                    .equals(known)) {
                beforehand.accept(settings);
            }
            return migrate(settings);
        }
    }

    /** Completes with true if a database has every migration of this release; it may have those of a newer one, too. */
    public Future<Boolean> areApplied(Database database) {
        var known = MigrationIndex.read(location).versions();
        return applied(database).map(applied -> applied.containsAll(known));
    }

    /** State of a database relative to this release; fails when it was written by a newer one. Changes nothing. */
    public Future<SchemaState> state(Database database) {
        var known = MigrationIndex.read(location).versions();
        return applied(database).map(applied -> {
            refuseNewer(applied, known);
            if (applied.isEmpty()) {
                return SchemaState.EMPTY;
            }
            return applied.equals(known) ? SchemaState.CURRENT : SchemaState.OLDER;
        });
    }

    /** Versions that were applied with success; a failed one is left out, for Flyway to judge. */
    private static Future<List<String>> applied(Database database) {
        return database.read(tx -> tx.query(HISTORY_EXISTS)
                .compose(found -> Rows.flag(found.iterator().next(), "found")
                        ? tx.query(HISTORY).map(Migrations::succeeded)
                        : Future.succeededFuture(List.of())));
    }

    private static List<String> succeeded(RowSet<Row> rows) {
        return APPLIED.all(rows).stream()
                .filter(AppliedMigration::success)
                .map(AppliedMigration::version)
                .toList();
    }

    private static void refuseNewer(List<String> applied, List<String> known) {
        var newest = known.isEmpty() ? "" : known.getLast();
        var unknown = new TreeSet<>(applied).tailSet(newest, false);
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("the database has schema version " + unknown.last()
                    + ", this release knows versions up to " + newest
                    + ": it was used by a newer Millrace, and schemas only go forward");
        }
    }

    private int migrate(DatabaseSettings settings) {
        return migrate(settings, location, configuration -> {});
    }

    /**
     * Builds the schema of a release in an empty schema of a database, which need not be that of a server; data of that
     * release can then be loaded. Blocks.
     *
     * @param version the last migration to apply, one of this release's
     */
    public static void build(DatabaseSettings settings, String schema, String version) {
        migrate(
                settings,
                "db",
                configuration -> configuration.defaultSchema(schema).target(version));
    }

    public static boolean knows(String version) {
        return MigrationIndex.read("db").versions().contains(version);
    }

    private static int migrate(DatabaseSettings settings, String location, Consumer<FluentConfiguration> more) {
        try {
            var configuration = Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(JdbcConnections.url(settings), settings.user(), settings.password())
                    .jdbcProperties(JdbcConnections.properties(settings, "millrace-migrations"))
                    .locations("classpath:" + location)
                    .callbacks(new MigrationProgress())
                    .validateOnMigrate(true)
                    .validateMigrationNaming(true)
                    .cleanDisabled(true)
                    .outOfOrder(false);
            more.accept(configuration);
            return configuration.load().migrate().migrationsExecuted;
        } catch (FlywayException failed) {
            throw MissingRight.of(failed, settings).orElseThrow(() -> failed);
        }
    }
}
