package io.millrace.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;

/** A fresh data directory for servers with an embedded database; gone when closed. */
public record DataDirectory(Path path) implements AutoCloseable {
    /** Others may pass: PostgreSQL does not run as root, the tests may. */
    public static DataDirectory create() {
        try {
            var directory = Files.createTempDirectory("millrace-test-");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            return new DataDirectory(directory.toRealPath());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The PostgreSQL that runs on this directory, if one does; the number in a stale file may be a stranger's by now. */
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

    private boolean isOurs(ProcessHandle process) {
        return process.info()
                .commandLine()
                .filter(words -> words.contains(path.toString()))
                .isPresent();
    }

    @Override
    public void close() {
        // A postmaster that lost its server may still be writing.
        Waiting.until("PostgreSQL has left " + path, () -> postmaster().isEmpty());
        try (var files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
