package io.millrace.fault.database;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.VersionProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A start with another release of PostgreSQL that cannot work is refused with status 78 and the remedy, and changes
 * nothing.
 */
@Slow(Slow.Reason.FAULT)
final class WrongReleaseIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(4);
    private static final int EXIT_BAD_SETTING = 78;

    @AutoClose
    private final DataDirectory directory = DataDirectory.create();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            17   | was written by PostgreSQL 17, this server contains PostgreSQL 18
            19   | was written by PostgreSQL 19, this server contains PostgreSQL 18
            9.6  | was written by PostgreSQL 9.6, this server contains PostgreSQL 18
            ''   | has an empty or damaged file PG_VERSION
            PG   | has an empty or damaged file PG_VERSION
            """)
    void leavesTheDataOfAnotherReleaseAsItIs(String version, String message) throws IOException {
        var data = directory.path().resolve("postgres/data");
        write(data.resolve("PG_VERSION"), version + "\n");
        write(data.resolve("postgresql.conf"), "port = 1");
        write(data.resolve("base/1/1259"), "rows of another release");
        write(data.resolve("pg_wal/000000010000000000000001"), "log");
        write(directory.path().resolve("postgres/password"), "kept");
        write(directory.path().resolve("postgres/lock"), "");
        var before = content(data.getParent());

        try (var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output()).contains(message).doesNotContain("crashed", "\tat ");
        }

        assertThat(content(data.getParent())).isEqualTo(before);
    }

    @Test
    void refusesAnOlderServer_andCreatesNothingThere() throws IOException {
        var database = TestPostgres.emptyDatabase();
        try (var older = VersionProxy.of(database, 14);
                var server = start(database, older)) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output())
                    .contains("is PostgreSQL 14, expected 15 or newer; upgrade it (pg_upgrade), or use another server")
                    .doesNotContain("crashed", "\tat ");
            assertThat(tables(database)).isZero();
        } finally {
            TestPostgres.drop(database);
        }
    }

    @Test
    void startsWithANewerServer() throws IOException {
        var database = TestPostgres.emptyDatabase();
        try (var newer = VersionProxy.of(database, 99);
                var server = start(database, newer)) {
            assertThat(server.api(START_DEADLINE).get("/v1/health").status()).isEqualTo(200);
            assertThat(tables(database)).isPositive();
        } finally {
            TestPostgres.drop(database);
        }
    }

    private ServerProcess start(DatabaseSettings database, VersionProxy proxy) {
        var url = "postgres://" + database.user() + ":" + database.password() + "@127.0.0.1:" + proxy.port() + "/"
                + database.database();
        return ServerProcess.ofClasses(directory.path(), Map.of("AP_POSTGRES_URL", url));
    }

    private static long tables(DatabaseSettings database) {
        try (var connection = JdbcConnections.open(database, "test")) {
            return JdbcConnections.all(
                            connection,
                            "select count(*) from information_schema.tables where table_schema = 'public'",
                            row -> row.getLong(1))
                    .getFirst();
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content.getBytes(US_ASCII));
    }

    /** Files with their content, folders, and the times of their last change. */
    private static Map<String, String> content(Path root) throws IOException {
        var found = new TreeMap<String, String>();
        try (var paths = Files.walk(root)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                found.put(root.relativize(path).toString(), described(path));
            }
        }
        return found;
    }

    private static String described(Path path) {
        try {
            return (Files.isDirectory(path) ? "folder" : HexFormat.of().formatHex(Files.readAllBytes(path))) + " "
                    + Files.getLastModifiedTime(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
