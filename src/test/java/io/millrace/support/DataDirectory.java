package io.millrace.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;

/** Fresh data directory for servers with an embedded database; removed when closed. */
public record DataDirectory(Path path) implements AutoCloseable {
    /** Line of the pid file with the port. */
    private static final int PORT_LINE = 3;

    /** Other users need access: PostgreSQL does not run as root, the tests may. */
    public static DataDirectory create() {
        try {
            var directory = Files.createTempDirectory(TestFolder.databases(), "millrace-test-");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            return new DataDirectory(directory.toRealPath());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Data directory whose embedded database has the schema of this release: a server that starts on it migrates
     * nothing.
     */
    public static DataDirectory prepared() {
        var directory = create();
        prepare(directory.path());
        return directory;
    }

    /** Copies the prepared database into an empty directory of the caller. */
    public static void prepare(Path directory) {
        PreparedData.copyTo(directory);
    }

    /**
     * The PostgreSQL that runs on this directory, if any; the process id in a stale file may belong to another process.
     */
    public Optional<ProcessHandle> postmaster() {
        try {
            var lines = Files.readAllLines(path.resolve("postgres/data/postmaster.pid"));
            return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
                    .filter(ProcessHandle::isAlive)
                    .filter(this::isOurs);
        } catch (NoSuchFileException stopped) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** First column of the first row of a query, from the database that runs on this directory. */
    public String ask(String sql) {
        try {
            var port = Files.readAllLines(path.resolve("postgres/data/postmaster.pid"))
                    .get(PORT_LINE);
            var password = Files.readString(path.resolve("postgres/password")).strip();
            var url = "jdbc:postgresql://127.0.0.1:" + port.strip() + "/millrace";
            try (var connection = DriverManager.getConnection(url, "millrace", password);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                rows.next();
                return rows.getString(1);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (SQLException failure) {
            throw new IllegalStateException("expected to ask " + sql, failure);
        }
    }

    private boolean isOurs(ProcessHandle process) {
        return process.info()
                .commandLine()
                .filter(words -> words.contains(path.toString()))
                .isPresent();
    }

    @Override
    public void close() {
        // A postmaster without its server may still be writing.
        Waiting.until("PostgreSQL has left " + path, () -> postmaster().isEmpty());
        TestFolder.remove(path);
    }
}
