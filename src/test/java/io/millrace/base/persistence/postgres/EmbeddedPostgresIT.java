package io.millrace.base.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresIT {
    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    private EmbeddedPostgres server;

    @BeforeEach
    void prepare() throws IOException {
        PostgresFixture.passable(directory);
        PostgresFixture.linkPrograms(shared, directory);
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop();
        }
    }

    @Test
    void answersQueries_whenStartedOnAnEmptyDirectory() throws SQLException {
        start();

        assertThat(PostgresFixture.ask(server, "show server_version")).isEqualTo(PostgresBinaries.VERSION);
        assertThat(PostgresFixture.ask(server, "select upper('mühle')")).isEqualTo("MÜHLE");
        assertThat(PostgresFixture.ask(server, "show fsync")).isEqualTo("off");
    }

    /** The host may have no thread left when PostgreSQL ends. */
    @Test
    void hasTheThreadThatStartsItAgain_fromTheBeginning() {
        start();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("postgres-keeper");
    }

    @Test
    void isDurable_byDefault() throws SQLException {
        server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory));

        assertThat(PostgresFixture.ask(server, "show fsync")).isEqualTo("on");
        assertThat(PostgresFixture.ask(server, "show synchronous_commit")).isEqualTo("on");
        assertThat(PostgresFixture.ask(server, "show full_page_writes")).isEqualTo("on");
    }

    @Test
    void isPrivate_toItsOwner() throws IOException {
        start();

        var home = PostgresFixture.home(directory);
        assertThat(modeOf(home.resolve("password"))).isEqualTo("rw-------");
        assertThat(modeOf(home.resolve("data"))).isEqualTo("rwx------");
        assertThat(modeOf(server.socketDirectory())).isEqualTo("rwx------");
        // An account with read permission could hold the lock.
        assertThat(modeOf(home.resolve("lock"))).isEqualTo("rw-------");
        assertThat(modeOf(home.resolve("postgres.log"))).isEqualTo("rw-------");
        assertThat(modeOf(directory)).endsWith(isRoot() ? "--x--x" : "------");
        assertThatThrownBy(() -> PostgresFixture.ask(server.port(), "wrong", "select 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void closesTheLockOfAnEarlierRelease_andListsNothingToOthers() throws IOException {
        var home = Files.createDirectories(PostgresFixture.home(directory));
        Files.createFile(
                home.resolve("lock"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));

        start();

        assertThat(modeOf(home.resolve("lock"))).isEqualTo("rw-------");
    }

    @Test
    void runsAsAnotherUser_whenStartedByRoot() throws IOException {
        assumeTrue(isRoot(), "only root switches users");

        start();

        assertThat(PostgresFixture.postmaster(directory).info().user())
                .isPresent()
                .get()
                .isNotEqualTo("root");
    }

    @Test
    void startsBehindAClosedDirectory_whenStartedByRoot() throws IOException, SQLException {
        assumeTrue(isRoot(), "only root switches users");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));

        start();
        PostgresFixture.ask(server, "create table mill (id text)");
        server.stop();
        start();

        assertThat(PostgresFixture.ask(server, "select count(*) from mill")).isEqualTo("0");
        FileTrees.delete(
                PostgresPlaces.elsewhere(PostgresFixture.home(directory).toRealPath()));
    }

    @Test
    void keepsRows_overARestart() throws SQLException {
        start();
        PostgresFixture.ask(server, "create table mill (id text)", "insert into mill values ('kept')");
        server.stop();

        start();

        assertThat(PostgresFixture.ask(server, "select id from mill")).isEqualTo("kept");
    }

    @Test
    void refusesASecondOwner_andLeavesTheFirstAlone() throws SQLException {
        start();

        assertThatThrownBy(() -> EmbeddedPostgres.start(PostgresFixture.quick(directory)))
                .isInstanceOf(PostgresStartException.class)
                .hasMessageContaining("another server uses the data directory " + directory);
        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
    }

    @Test
    void refusesDataOfAnotherMajorRelease() throws IOException {
        var data = Files.createDirectories(PostgresFixture.home(directory).resolve("data"));
        Files.writeString(data.resolve("PG_VERSION"), "17\n");

        assertThatThrownBy(() -> EmbeddedPostgres.start(PostgresFixture.quick(directory)))
                .isInstanceOf(PostgresStartException.class)
                .hasMessageContaining("was written by PostgreSQL 17")
                .hasMessageContaining("contains PostgreSQL " + PostgresBinaries.VERSION);
    }

    @Test
    void refusesADirectoryOfOtherFiles_andKeepsThem() throws IOException {
        var data = Files.createDirectories(PostgresFixture.home(directory).resolve("data"));
        var file = Files.writeString(data.resolve("letter.txt"), "dear");

        assertThatThrownBy(() -> EmbeddedPostgres.start(PostgresFixture.quick(directory)))
                .isInstanceOf(PostgresStartException.class)
                .hasMessageContaining("holds no database");
        assertThat(file).hasContent("dear");
    }

    @Test
    void beginsAnew_whenACrashLeftItHalfUnpackedAndHalfCreated() throws IOException, SQLException {
        var home = PostgresFixture.home(directory);
        FileTrees.delete(home.resolve("bin-" + PostgresBinaries.VERSION));
        Files.createDirectories(home.resolve("bin-" + PostgresBinaries.VERSION + "/bin"));
        Files.writeString(home.resolve("bin-" + PostgresBinaries.VERSION + "/bin/postgres"), "half a prog");
        Files.createDirectories(home.resolve("bin-" + PostgresBinaries.VERSION + ".new/lib"));
        Files.createDirectories(home.resolve("data.new-1/base/1"));
        Files.writeString(home.resolve("data.new-1/PG_VERSION"), "18\n");
        Files.writeString(home.resolve("data.new-1.password"), "old");

        start();

        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
        assertThat(home).isDirectoryNotContaining("glob:**data.new-*");
    }

    @Test
    void unpacksAgain_whenAProgramIsDamaged() throws IOException, SQLException {
        start();
        server.stop();
        var program = PostgresFixture.home(directory).resolve("bin-" + PostgresBinaries.VERSION + "/bin/postgres");
        // Replaced, not overwritten: the file is shared with other tests.
        Files.delete(program);
        Files.writeString(program, "cut off");

        start();

        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
    }

    @Test
    void setsANewPassword_whenItsFileWasLost() throws IOException, SQLException {
        start();
        PostgresFixture.ask(server, "create table mill (id text)");
        var former = server.password();
        server.stop();
        Files.delete(PostgresFixture.home(directory).resolve("password"));

        start();

        assertThat(server.password()).isNotEqualTo(former);
        assertThat(PostgresFixture.ask(server, "select count(*) from mill")).isEqualTo("0");
    }

    @Test
    void setsANewPassword_whenItsFileIsDamaged() throws IOException, SQLException {
        start();
        var former = server.password();
        server.stop();
        Files.writeString(PostgresFixture.home(directory).resolve("password"), former.substring(1));

        start();

        assertThat(server.password()).isNotEqualTo(former);
        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
    }

    @Test
    void ignoresAPidFile_thatNamesAStranger() throws IOException, SQLException {
        start();
        server.stop();
        var pidFile = PostgresFixture.home(directory).resolve("data/postmaster.pid");
        Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");

        start();

        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
        assertThat(ProcessHandle.current().isAlive()).isTrue();
    }

    @Test
    void ignoresAPidFile_thatLostPowerHasLeftEmpty() throws IOException, SQLException {
        start();
        server.stop();
        var pidFile = PostgresFixture.home(directory).resolve("data/postmaster.pid");
        Files.createFile(pidFile);

        start();

        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
    }

    @Test
    void ignoresAPidFile_thatHasNoText() throws IOException, SQLException {
        start();
        server.stop();
        var pidFile = PostgresFixture.home(directory).resolve("data/postmaster.pid");
        Files.write(pidFile, new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0x80});

        start();

        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
    }

    @Test
    void putsItsSocketElsewhere_whenThePathIsTooLong() throws IOException, SQLException {
        var deep = PostgresFixture.passable(Files.createDirectories(directory.resolve("d".repeat(90))));

        server = EmbeddedPostgres.start(PostgresFixture.quick(deep));

        assertThat(server.socketDirectory())
                .doesNotHave(new org.assertj.core.api.Condition<>(
                        path -> path.startsWith(deep), "lies in the data directory"));
        assertThat(modeOf(server.socketDirectory())).isEqualTo("rwx------");
        assertThat(PostgresFixture.ask(server, "select 1")).isEqualTo("1");
        server.stop();
        assertThat(server.socketDirectory()).doesNotExist();
    }

    @Test
    void startsAgainAtTheSameAddress_whenPostgresIsKilled() throws IOException {
        start();
        var first = PostgresFixture.postmaster(directory);

        first.destroyForcibly();

        Waiting.until("PostgreSQL answers again", () -> !first.isAlive() && answers(server));
        var second = PostgresFixture.postmaster(directory);
        assertThat(second.pid()).isNotEqualTo(first.pid());
        server.stop();
        assertThat(second.isAlive()).isFalse();
    }

    @Test
    void startsAgainWithoutItsPort_whenAnotherProcessHasTakenIt() throws IOException {
        // Given
        start();
        var first = PostgresFixture.postmaster(directory);

        // When
        first.destroyForcibly();
        try (var taker = takeWhenFree(server.port())) {
            assertThat(taker.isBound()).isTrue();

            // Then
            Waiting.until("PostgreSQL accepts local connections", () -> !first.isAlive() && acceptsLocally(server));
        }
    }

    /** Binds the port as soon as its former owner has ended. */
    private static ServerSocket takeWhenFree(int port) throws IOException {
        var taker = new ServerSocket();
        Waiting.until("the port is free", () -> {
            try {
                taker.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return true;
            } catch (IOException taken) {
                return false;
            }
        });
        return taker;
    }

    private static boolean acceptsLocally(EmbeddedPostgres server) {
        var file = server.socketDirectory().resolve(".s.PGSQL." + server.port());
        try (var connection = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            return connection.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean answers(EmbeddedPostgres server) {
        try {
            return PostgresFixture.ask(server, "select 1").equals("1");
        } catch (SQLException refused) {
            return false;
        }
    }

    @Test
    void leavesNoProcessBehind_whenStopped() throws IOException {
        // Other tests of this JVM have another server and a browser, which start and end processes.
        var others = ProcessHandle.current().descendants().collect(Collectors.toSet());
        start();
        var postmaster = PostgresFixture.postmaster(directory);
        var children = ProcessHandle.current()
                .descendants()
                .filter(child -> !others.contains(child)
                        && child.parent().filter(others::contains).isEmpty())
                .toList();

        server.stop();

        assertThat(postmaster.isAlive()).isFalse();
        Waiting.until(
                "every process of the server has ended", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private void start() {
        server = EmbeddedPostgres.start(PostgresFixture.quick(directory));
    }

    private static boolean isRoot() {
        return "root".equals(ProcessHandle.current().info().user().orElse(""));
    }

    private static String modeOf(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
