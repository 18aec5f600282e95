package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.net.FreePort;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.base.persistence.migration.MigrationIndex;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Findings of the doctor command for healthy, stopped and faulty servers. */
@Slow(Slow.Reason.PROCESS)
final class DoctorCommandIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    private static final Duration START = Duration.ofMinutes(2);

    @Test
    void serverThatIsWell_isFoundWell_runningAndStopped() {
        try (var directory = DataDirectory.prepared()) {
            var settings = settings(directory);
            try (var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
                settings.put("AP_PORT", Integer.toString(server.port(START)));

                var running = CommandRun.of(settings, "doctor", "--json");

                assertThat(running.status()).as(running.out()).isEqualTo(ExitStatus.OK);
                assertThat(found(running, "port")).contains("a healthy server listens");
                assertThat(found(running, "database")).contains("PostgreSQL 18");
                assertThat(found(running, "nodes")).isEqualTo("ok: 1 work on the database");
                assertThat(found(running, "orphans")).isEqualTo("ok: every run has an owner");
                assertThat(found(running, "secrets")).isEqualTo("ok: not accessible to other users");
                server.terminate();
                server.exitStatus(START);
            }
            var stopped = CommandRun.of(settings, "doctor");
            assertThat(stopped.status()).as(stopped.out()).isEqualTo(ExitStatus.OK);
            assertThat(stopped.out()).contains("is free: no server listens", "the embedded one is stopped");
        }
    }

    @Test
    void reportsFaultsWithTheirRemedies() throws IOException, SQLException {
        var database = TestPostgres.freshDatabase();
        try (var directory = DataDirectory.create();
                var occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var idle = JdbcConnections.open(database, "forgotten");
                var statement = idle.createStatement()) {
            // given secrets that other users may read, a port in use, and an older schema
            var secrets = Files.createFile(
                    directory.path().resolve("server-secrets.json"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
            Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-r--r--"));
            Files.createDirectory(directory.path().resolve("restore-killed"));
            var spool = Files.createDirectories(directory.path().resolve("postgres/data/millrace_spool"));
            for (var segment = 0; segment < 11; segment++) {
                Files.createFile(spool.resolve("00000001000000000000000" + Integer.toHexString(segment)));
            }
            statement.execute("delete from flyway_schema_history where version = "
                    + "(select max(version) from flyway_schema_history)");
            var settings = settings(directory);
            settings.put("AP_HOST", "127.0.0.1");
            settings.put("AP_PORT", Integer.toString(occupied.getLocalPort()));
            settings.put("AP_POSTGRES_URL", TestPostgres.url(database));
            settings.put("AP_PROT", "1");

            // when
            var run = CommandRun.of(settings, "doctor", "--json");

            // then
            assertThat(run.status()).isEqualTo(ExitStatus.PROBLEM);
            assertThat(run.json().get("well").booleanValue()).isFalse();
            assertThat(found(run, "secrets")).startsWith("problem: other users may read");
            assertThat(found(run, "port")).startsWith("problem:").endsWith("is in use by another program");
            assertThat(found(run, "settings")).contains("warning: AP_PROT is not a setting");
            assertThat(found(run, "orphans")).startsWith("warning:").contains("restore-killed");
            assertThat(found(run, "schema")).startsWith("warning:");
            assertThat(found(run, "log"))
                    .startsWith("warning: 11 segments of the write-ahead log are not archived yet");
        }
    }

    @Test
    void upgrade_namesWhatTheStartWouldMigrate_andWhatItNeeds() throws SQLException {
        // given a database of the previous release, with a node of it
        var versions = MigrationIndex.read("db").versions();
        var older = versions.get(versions.size() - 2);
        var database = TestPostgres.emptyDatabase();
        Migrations.build(database, "public", older);
        try (var directory = DataDirectory.create();
                var connection = JdbcConnections.open(database, "node");
                var statement = connection.createStatement()) {
            statement.execute(
                    "insert into node (id, lease_until, schema_version) values ('n', 'infinity', '" + older + "')");
            var settings = settings(directory);
            settings.put("AP_POSTGRES_URL", TestPostgres.url(database));

            // when
            var run = CommandRun.of(settings, "doctor", "--upgrade", "--json");
            settings.put("AP_BACKUP_BEFORE_MIGRATION", "false");
            var without = CommandRun.of(settings, "doctor", "--upgrade", "--json");

            // then
            assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.OK);
            assertThat(found(run, "schema"))
                    .isEqualTo("warning: " + older + ", and the start runs 1 migrations up to " + versions.getLast());
            assertThat(found(run, "migration"))
                    .startsWith("ok: " + versions.getLast() + " ")
                    .hasSizeGreaterThan(30);
            assertThat(found(run, "disk")).startsWith("ok: the tables take").contains("left for " + directory.path());
            assertThat(found(run, "backup"))
                    .startsWith("ok: the start writes one into")
                    .endsWith("no earlier one was found");
            assertThat(found(run, "nodes")).isEqualTo("warning: 1 server of schema " + older + " runs on the database");
            assertThat(found(without, "backup")).isEqualTo("warning: no earlier one was found");
        }
    }

    /** An embedded database has one server: a rolling upgrade does not apply. */
    @Test
    void upgrade_ofAnEmbeddedDatabase_namesTheServerThatMustStop() {
        try (var directory = DataDirectory.prepared();
                var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
            server.port(DEADLINE);
            directory.ask("insert into node (id, lease_until, schema_version) values ('n', 'infinity', '0001')"
                    + " returning id");

            var run = CommandRun.of(settings(directory), "doctor", "--upgrade", "--json");

            assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.OK);
            assertThat(found(run, "nodes")).isEqualTo("warning: 1 server of schema 0001 runs on the database");
            assertThat(run.out())
                    .contains("stop it before the new file starts: an embedded database has one server")
                    .doesNotContain("one at a time");
        }
    }

    @Test
    void upgrade_looksIntoAStoppedDatabase_andLeavesItStopped() {
        try (var directory = DataDirectory.create()) {
            var settings = settings(directory);
            assertThat(found(CommandRun.of(settings, "doctor", "--upgrade", "--json"), "database"))
                    .startsWith("ok: there is none yet");
            CommandRun.createAda(settings);

            var run = CommandRun.of(settings, "doctor", "--upgrade", "--json");

            assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.OK);
            assertThat(found(run, "schema")).endsWith(": the start migrates nothing");
            assertThat(found(run, "nodes")).isEqualTo("ok: no server of another release uses the database");
            assertThat(directory.postmaster()).isEmpty();
        }
    }

    @Test
    void databaseThatIsAway_andSettingsThatAreWrong_areProblems() {
        try (var directory = DataDirectory.create()) {
            var settings = settings(directory);
            settings.put(
                    "AP_POSTGRES_URL",
                    "postgres://a:hidden@127.0.0.1:" + FreePort.find().orElseThrow() + "/d");

            var away = CommandRun.of(settings, "doctor", "--json");
            var wrong = CommandRun.of(Map.of("AP_PORT", "many"), "doctor", "--json");

            assertThat(away.status()).isEqualTo(ExitStatus.PROBLEM);
            assertThat(found(away, "database")).startsWith("problem: it does not respond");
            assertThat(away.out()).doesNotContain("hidden");
            assertThat(wrong.status()).isEqualTo(ExitStatus.PROBLEM);
            assertThat(found(wrong, "settings")).startsWith("problem: AP_PORT: expected a whole number");
        }
    }

    private static Map<String, String> settings(DataDirectory directory) {
        var settings = new HashMap<String, String>();
        settings.put("AP_DATA_DIR", directory.path().toString());
        settings.put("AP_PORT", "0");
        return settings;
    }

    /** Every finding about a subject. */
    private static String found(CommandRun run, String subject) {
        return StreamSupport.stream(run.json().get("findings").spliterator(), false)
                .filter(finding -> finding.get("subject").textValue().equals(subject))
                .map(finding -> finding.get("level").textValue() + ": "
                        + finding.get("found").textValue())
                .collect(Collectors.joining("; "));
    }
}
