package io.millrace.base.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed with SIGKILL; the next start must find every committed row, and must not fail. */
class EmbeddedPostgresKillIT {
    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    private Process owner;
    private int port;
    private EmbeddedPostgres next;

    @BeforeEach
    void prepare() throws IOException {
        PostgresFixture.passable(directory);
        PostgresFixture.linkPrograms(shared, directory);
    }

    @AfterEach
    void endAll() {
        owner.descendants().forEach(ProcessHandle::destroyForcibly);
        owner.destroyForcibly();
        if (next != null) {
            next.stop();
        }
    }

    @Test
    void endsWithItsServer_whenThatIsKilled() throws IOException, SQLException {
        startOwner();
        var postmaster = PostgresFixture.postmaster(directory);

        owner.destroyForcibly();

        Waiting.until("PostgreSQL follows its owner", () -> !isRunning(postmaster));
        startNext();
        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void startsAtOnce_whenTheFormerServerWasJustKilled() throws IOException, SQLException {
        startOwner();
        owner.destroyForcibly();
        Waiting.until("the owner has ended", () -> !owner.isAlive());

        startNext();

        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void recovers_whenServerAndPostgresAreKilledTogether() throws IOException, SQLException {
        startOwner();
        var postmaster = PostgresFixture.postmaster(directory);

        owner.destroyForcibly();
        postmaster.destroyForcibly();
        Waiting.until("the owner has ended", () -> !owner.isAlive());

        startNext();
        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void endsAnOrphan_whenTheWatchdogWasKilledToo() throws IOException, SQLException {
        startOwner();
        var postmaster = PostgresFixture.postmaster(directory);
        var watchdogs = owner.descendants()
                .filter(process -> "sh".equals(programOf(process)) || "dash".equals(programOf(process)))
                .toList();
        assertThat(watchdogs).hasSize(2);

        watchdogs.forEach(ProcessHandle::destroyForcibly);
        owner.destroyForcibly();
        Waiting.until("the owner has ended", () -> !owner.isAlive());
        assertThat(isRunning(postmaster)).isTrue();

        startNext();
        assertThat(isRunning(postmaster)).isFalse();
        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void endsAFrozenOrphan() throws IOException, SQLException {
        startOwner();
        var processes = standStill(PostgresFixture.postmaster(directory));

        owner.destroyForcibly();
        Waiting.until("the owner has ended", () -> !owner.isAlive());

        startNext();
        assertThat(processes).noneMatch(EmbeddedPostgresKillIT::isRunning);
        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void endsFrozenBackends_whenTheirPostmasterWasKilled() throws IOException, SQLException {
        startOwner();
        var postmaster = PostgresFixture.postmaster(directory);
        var processes = standStill(postmaster);

        owner.destroyForcibly();
        postmaster.destroyForcibly();
        Waiting.until("both have ended", () -> !owner.isAlive() && !isRunning(postmaster));
        // A start that failed because of these processes deletes the file.
        Files.delete(PostgresFixture.home(directory).resolve("data/postmaster.pid"));

        startNext();
        assertThat(processes).noneMatch(EmbeddedPostgresKillIT::isRunning);
        assertThat(PostgresFixture.ask(next, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void beginsAnew_whenKilledWhileCreatingTheDatabase() throws IOException, SQLException {
        var home = PostgresFixture.home(directory);
        launchOwner();
        Waiting.until("the database is being created", () -> hasEntry(home, "data.new-"));

        owner.destroyForcibly();
        Waiting.until("the owner has ended", () -> !owner.isAlive());
        assertThat(home.resolve("data")).doesNotExist();

        startNext();
        assertThat(PostgresFixture.ask(next, "select 1")).isEqualTo("1");
    }

    @Test
    void refusesASecondOwner_whileTheFirstLives() throws IOException, SQLException {
        startOwner();
        assertThatThrownBy(this::startNext)
                .isInstanceOf(PostgresStartException.class)
                .hasMessageContaining("another server uses the data directory " + directory);

        assertThat(PostgresFixture.ask(port, PostgresFixture.password(directory), "select id from mill"))
                .isEqualTo("kept");
    }

    private void launchOwner() throws IOException {
        owner = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PostgresOwner.class.getName(),
                        directory.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A server that has committed a row. */
    private void startOwner() throws IOException, SQLException {
        launchOwner();
        port = portOf(owner);
        PostgresFixture.ask(
                port,
                PostgresFixture.password(directory),
                "create table mill (id text)",
                "insert into mill values ('kept')");
    }

    private void startNext() {
        next = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory));
    }

    private static int portOf(Process owner) throws IOException {
        var output = owner.inputReader();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("port ")) {
                return Integer.parseInt(line.substring("port ".length()));
            }
        }
        throw new AssertionError("the owner ended before its server was ready");
    }

    /** Suspends all processes of a server; skips backends that have just ended. */
    private static List<ProcessHandle> standStill(ProcessHandle postmaster) throws IOException {
        stop(List.of(postmaster));
        var backends = postmaster.children().toList();
        assertThat(backends).isNotEmpty();
        stop(backends);
        return Stream.concat(Stream.of(postmaster), backends.stream()).toList();
    }

    private static void stop(List<ProcessHandle> processes) throws IOException {
        var words = new ArrayList<>(List.of("kill", "-STOP"));
        processes.forEach(process -> words.add(Long.toString(process.pid())));
        var kill = new ProcessBuilder(words).start();
        Waiting.until("the signals are sent", () -> !kill.isAlive());
    }

    private static boolean hasEntry(Path parent, String prefix) {
        try (var entries = Files.list(parent)) {
            return entries.anyMatch(entry -> entry.getFileName().toString().startsWith(prefix));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** An unreaped zombie process has an empty command line. */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().isPresent();
    }

    private static String programOf(ProcessHandle process) {
        return process.info()
                .command()
                .map(path -> Path.of(path).getFileName().toString())
                .orElse("");
    }
}
