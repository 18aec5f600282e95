package io.millrace.fault.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed backup or restore leaves existing data intact, and can be repeated. */
@Slow(Slow.Reason.FAULT)
final class BackupKillIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @TempDir
    Path files;

    @Test
    void killedBackupAndRestoreLeaveTheOldState() {
        var file = files.resolve("a.backup");
        try (var source = DataDirectory.prepared();
                var target = DataDirectory.create()) {
            assertOk(CommandRun.createAda(settings(source)));

            // A backup, killed after its file has begun
            killed(source, Map.of(), () -> !named(files, ".part").isEmpty(), "backup", "--to", file.toString());
            assertThat(file).doesNotExist();
            assertOk(CommandRun.of(settings(source), "backup", "--to", file.toString()));

            // A restore to a directory, killed at three moments
            var restore = new String[] {"restore", "--from", file.toString()};
            for (var moment : List.of("", "postgres/data/PG_VERSION", "postgres/data/postmaster.pid")) {
                killed(target, Map.of(), () -> isStaged(target, moment), restore);
                assertThat(target.path().resolve("postgres")).doesNotExist();
            }
            assertOk(CommandRun.of(settings(target), restore));
            assertThat(named(target.path(), "restore-")).isEmpty();

            // A restore to an external database, killed after its schema has begun
            var external = TestPostgres.emptyDatabase();
            var outside = new HashMap<>(settings(target));
            outside.put("AP_POSTGRES_URL", TestPostgres.url(external));
            killed(target, outside, () -> count(external, "millrace\\_restore\\_%") > 0, restore);
            assertThat(count(external, "public")).isZero();
            Waiting.until("the killed restore has left the database", () -> sessions(external) == 0);
            assertOk(CommandRun.of(outside, restore));
            assertThat(count(external, "public")).isPositive();
            assertThat(count(external, "millrace\\_restore\\_%")).isZero();
        }
    }

    /** Starts a command as a process, and kills it when a condition holds. */
    private static void killed(
            DataDirectory directory, Map<String, String> settings, BooleanSupplier moment, String... words) {
        var command = ServerProcess.commandOfClasses("io.millrace.Millrace", List.of(), List.of(words));
        try (var process = ServerProcess.start(command, directory.path(), settings)) {
            Waiting.until("the moment to kill has come: " + process.output(), DEADLINE, moment);
            process.kill();
            assertThat(process.exitStatus(DEADLINE)).isNotZero();
        }
    }

    private static Map<String, String> settings(DataDirectory directory) {
        return Map.of("AP_DATA_DIR", directory.path().toString());
    }

    private static boolean isStaged(DataDirectory directory, String file) {
        return named(directory.path(), "restore-").stream().anyMatch(staging -> Files.exists(staging.resolve(file)));
    }

    private static List<Path> named(Path directory, String part) {
        try (var found = Files.list(directory)) {
            return found.filter(file -> file.getFileName().toString().contains(part))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long count(DatabaseSettings database, String schemas) {
        return ask(
                database,
                "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname like '"
                        + schemas + "'");
    }

    private static long sessions(DatabaseSettings database) {
        return ask(
                database,
                "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
    }

    private static long ask(DatabaseSettings database, String query) {
        try (var connection = JdbcConnections.open(database, "test");
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void assertOk(CommandRun run) {
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.OK);
    }
}
