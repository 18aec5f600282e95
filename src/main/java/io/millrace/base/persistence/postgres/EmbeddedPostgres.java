package io.millrace.base.persistence.postgres;

import io.millrace.base.config.BackupSettings;
import io.millrace.base.config.DataSettings;
import io.millrace.base.persistence.connection.DatabaseSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL inside {@code <data directory>/postgres}: unpacked, created, started, kept running and stopped by this process
 * (DESIGN 5). It is reached through a Unix socket that only the server's own user may open, and for the migrations on a free
 * port of the loopback address; both require the generated password.
 *
 * <p>Every method blocks: callers run it off the event loop.
 */
public final class EmbeddedPostgres {
    /**
     * Settings of the server.
     *
     * @param dataDirectory directory of all data of Millrace
     * @param connectionsMax connections that PostgreSQL accepts: those of the pool, and some for migrations
     * @param sharedBuffersMb memory of its page cache
     * @param user number of the user that a new database runs as, where this server is root
     * @param startPatience time limit of a start, recovery included
     * @param stopPatience time limit of each step of a stop
     * @param options of PostgreSQL, each {@code name=value}, that override those of the server
     * @param keepsLog true if finished segments of the write-ahead log are left in a {@link LogSpool}
     */
    public record Settings(
            Path dataDirectory,
            int connectionsMax,
            int sharedBuffersMb,
            int user,
            Duration startPatience,
            Duration stopPatience,
            List<String> options,
            boolean keepsLog) {
        private static final int NOBODY = 65_534;

        public Settings {
            options = List.copyOf(options);
        }

        /** Settings for a small host. */
        public static Settings of(Path dataDirectory) {
            return new Settings(
                    dataDirectory, 40, 32, NOBODY, Duration.ofMinutes(2), Duration.ofSeconds(10), List.of(), false);
        }

        public static Settings of(DataSettings data) {
            return of(data.directory())
                    .withUser(data.accounts().database())
                    .keepingLog(
                            data.backups().filter(BackupSettings::archivesLog).isPresent());
        }

        public Settings withOptions(List<String> changed) {
            return new Settings(
                    dataDirectory,
                    connectionsMax,
                    sharedBuffersMb,
                    user,
                    startPatience,
                    stopPatience,
                    changed,
                    keepsLog);
        }

        public Settings withUser(int changed) {
            return new Settings(
                    dataDirectory,
                    connectionsMax,
                    sharedBuffersMb,
                    changed,
                    startPatience,
                    stopPatience,
                    options,
                    keepsLog);
        }

        public Settings withConnectionsMax(int changed) {
            return new Settings(
                    dataDirectory, changed, sharedBuffersMb, user, startPatience, stopPatience, options, keepsLog);
        }

        public Settings withStartPatience(Duration changed) {
            return new Settings(
                    dataDirectory, connectionsMax, sharedBuffersMb, user, changed, stopPatience, options, keepsLog);
        }

        public Settings keepingLog(boolean changed) {
            return new Settings(
                    dataDirectory,
                    connectionsMax,
                    sharedBuffersMb,
                    user,
                    startPatience,
                    stopPatience,
                    options,
                    changed);
        }
    }

    public static final String HOME = "postgres";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);

    /** Failures that a second try may cure: a port taken meanwhile, and short-lived remains of a killed server. */
    private static final List<String> PASSING_TROUBLES =
            List.of("could not create any TCP/IP sockets", "is still in use", "lock file \"postmaster.pid\"");

    /** Line of the pid file with the port, as PostgreSQL writes it. */
    private static final int PORT_LINE = 3;

    private static final Duration TROUBLE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration TROUBLE_PAUSE = Duration.ofMillis(200);

    private final Path data;
    private final DirectoryLock lock;
    private final PostgresKeeper keeper;
    private final Path socketDirectory;
    private final int port;
    private final String password;

    private EmbeddedPostgres(
            Path data, DirectoryLock lock, PostgresKeeper keeper, Path socketDirectory, int port, String password) {
        this.data = data;
        this.lock = lock;
        this.keeper = keeper;
        this.socketDirectory = socketDirectory;
        this.port = port;
        this.password = password;
    }

    /** Returns when PostgreSQL accepts connections; refuses with {@link PostgresStartException}. */
    public static EmbeddedPostgres start(Settings settings) {
        try {
            var home = settings.dataDirectory().toAbsolutePath().resolve(HOME);
            Files.createDirectories(home);
            home = home.toRealPath();
            FileTrees.closeToOthers(settings.dataDirectory());
            var lock = DirectoryLock.take(home, settings.dataDirectory());
            try {
                return startLocked(settings, home, lock);
            } catch (IOException | RuntimeException | InterruptedException failure) {
                lock.release();
                throw failure;
            }
        } catch (IOException failure) {
            throw new PostgresStartException(
                    "embedded PostgreSQL in " + settings.dataDirectory() + " cannot be started: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PostgresStartException("interrupted while embedded PostgreSQL was starting", interrupted);
        }
    }

    public static boolean isIn(Path dataDirectory) {
        return Files.exists(directoryIn(dataDirectory).resolve("PG_VERSION"));
    }

    public static Path directoryIn(Path dataDirectory) {
        return PostgresCluster.directory(dataDirectory.resolve(HOME));
    }

    /** Connection settings of the database that runs on this directory, for processes that may read the server's own files. */
    public static DatabaseSettings running(Path dataDirectory) {
        var home = dataDirectory.resolve(HOME);
        try {
            var lines = Files.readAllLines(PostgresCluster.directory(home).resolve("postmaster.pid"));
            var port = Integer.parseInt(lines.get(PORT_LINE).strip());
            var password = Files.readString(home.resolve("password")).strip();
            return DatabaseSettings.of("127.0.0.1", port, PostgresCluster.DATABASE, PostgresCluster.USER, password);
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException unknown) {
            throw new PostgresStartException("the database running in " + dataDirectory
                    + " cannot be found: run this command as the user of the server, after the server has started ("
                    + unknown + ")");
        }
    }

    private static EmbeddedPostgres startLocked(Settings settings, Path home, DirectoryLock lock)
            throws IOException, InterruptedException {
        PostgresCluster.checkVersion(home);
        var data = PostgresCluster.directory(home);
        var chosen = PostgresAccount.choose(data, settings.user());
        // A switched user may only traverse to its own directories; the programs stay root's.
        FileTrees.directory(home, chosen.isSwitched() ? "rwx--x--x" : "rwx------");
        var account = chosen.reaching(home);
        var binaries = PostgresBinaries.in(PostgresPlaces.programs(home, account));
        new StalePostmaster(data).clear();
        var password = new PostgresCluster(home, binaries, account, settings.options()).prepare();
        var sockets = PostgresPlaces.sockets(home, account);
        var options = logged(settings, home, account);
        var log = new PostgresLog(home.resolve("postgres.log"));
        var troubleEnd = System.nanoTime() + TROUBLE_PATIENCE.toNanos();
        while (true) {
            log.startAnew();
            var port = freePort();
            var words = PostgresOptions.words(options, binaries, data, sockets, port);
            var process = PostgresProcess.launch(account, words, log);
            if (process.isReadyWithin(settings.startPatience())) {
                var keeper = new PostgresKeeper(settings, account, words, data, log, process);
                return new EmbeddedPostgres(data, lock, keeper, sockets, port, password);
            }
            process.stop(settings.stopPatience());
            var isPassing = PASSING_TROUBLES.stream().anyMatch(log.recent()::contains);
            if (!isPassing || System.nanoTime() > troubleEnd) {
                throw new PostgresStartException("PostgreSQL ended while starting on " + data + ": " + log.recent());
            }
            LockSupport.parkNanos(TROUBLE_PAUSE.toNanos());
            new StalePostmaster(data).clearAgain();
        }
    }

    /** Adds the options that keep the log, or ends its lineage; given options override both. */
    private static Settings logged(Settings settings, Path home, PostgresAccount account) throws IOException {
        if (!settings.keepsLog()) {
            LogSpool.close(home);
            return settings;
        }
        var options = new ArrayList<>(LogSpool.opened(home, account));
        options.addAll(settings.options());
        return settings.withOptions(options);
    }

    /** Directory of the Unix socket: the host that the pool connects to. */
    public Path socketDirectory() {
        return socketDirectory;
    }

    /** Port on the loopback address; also part of the socket's name. */
    public int port() {
        return port;
    }

    public String user() {
        return PostgresCluster.USER;
    }

    public String password() {
        return password;
    }

    public String database() {
        return PostgresCluster.DATABASE;
    }

    public DatabaseSettings connection() {
        return DatabaseSettings.of(socketDirectory.toString(), port, database(), user(), password);
    }

    /** Stops PostgreSQL: ends sessions, writes a checkpoint, and releases the data directory. */
    public void stop() {
        try {
            if (!keeper.stop()) {
                return;
            }
            // Had only the watchdog been killed, the server would still be there.
            new StalePostmaster(data).clear();
            PostgresPlaces.forgetSockets(data.getParent(), socketDirectory);
            lock.release();
        } catch (IOException failure) {
            LOG.warn("embedded PostgreSQL was not stopped cleanly", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
