package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up processes and files that a former server left in this data directory. The caller holds the {@link
 * DirectoryLock}, so a PostgreSQL found here is orphaned: it is ended gracefully, then by force, and so are its
 * suspended processes. A pid file that names an unrelated process (a restarted container reuses process ids), a zombie
 * or no process is removed, because PostgreSQL only checks whether a process with that id exists.
 */
final class StalePostmaster {
    private static final Logger LOG = LoggerFactory.getLogger(StalePostmaster.class);
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(20).toNanos();
    private static final Duration COMMAND_DEADLINE = Duration.ofSeconds(5);

    /** PostgreSQL's signals: INT ends sessions and checkpoints, QUIT aborts at once, KILL cannot be caught. */
    private enum ShutdownSignal {
        INT(Duration.ofSeconds(15)),
        QUIT(Duration.ofSeconds(5)),
        KILL(Duration.ofSeconds(5));

        private final Duration patience;

        ShutdownSignal(Duration patience) {
            this.patience = patience;
        }
    }

    private final Path data;
    private final Path pidFile;

    StalePostmaster(Path data) {
        this.data = data;
        this.pidFile = data.resolve("postmaster.pid");
    }

    void clear() throws IOException {
        if (Files.exists(pidFile)) {
            clearAgain();
        }
    }

    /** The same, after a failed start, which may have removed the pid file of the former server. */
    void clearAgain() throws IOException {
        var found = processId();
        if (found.isPresent()) {
            end(found.get());
        }
        endBackends();
        if (found.isEmpty() || Files.exists(procFile(found.get(), "stat"))) {
            Files.deleteIfExists(pidFile);
        }
    }

    private void end(long process) throws IOException {
        for (var step : ShutdownSignal.values()) {
            if (!isOurs(process)) {
                return;
            }
            LOG.info("terminating PostgreSQL {} of a former server on {} ({})", process, data, step);
            send(step.name(), List.of(process));
            // A suspended process (SIGSTOP) receives no other signal, nor does it react while its backends are
            // suspended.
            send("CONT", backends().stream().map(ProcessHandle::pid).toList());
            waitUntil(step.patience, () -> !isOurs(process));
        }
        if (isOurs(process)) {
            throw new PostgresStartException("PostgreSQL " + process + " of a former server is still running on " + data
                    + " and cannot be ended");
        }
    }

    /**
     * The backends of a postmaster that was ended by force detect that by themselves. Suspended ones cannot; they would keep
     * its shared memory, and PostgreSQL would not start.
     */
    private void endBackends() throws IOException {
        var left = backends();
        if (!left.isEmpty()) {
            LOG.info("terminating {} processes of an ended PostgreSQL on {}", left.size(), data);
            left.forEach(ProcessHandle::destroyForcibly);
            waitUntil(ShutdownSignal.KILL.patience, () -> backends().isEmpty());
        }
    }

    /** Number of the process that the pid file names. Lost power may leave the file empty, or with anything in it. */
    private Optional<Long> processId() throws IOException {
        try {
            var lines = Files.readAllLines(pidFile, StandardCharsets.ISO_8859_1);
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.getFirst().strip()));
        } catch (NoSuchFileException | NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    private static void send(String signal, List<Long> processes) throws IOException {
        var words = new ArrayList<>(List.of("sh", "-c", "signal=$1; shift; kill \"-$signal\" \"$@\"", "sh", signal));
        processes.forEach(process -> words.add(Long.toString(process)));
        Command.run(words, COMMAND_DEADLINE);
    }

    /**
     * Every process of a PostgreSQL, the postmaster too, has the database directory as its working directory; so may a
     * user's shell.
     */
    private List<ProcessHandle> backends() throws IOException {
        var directory = data.toRealPath();
        return ProcessHandle.allProcesses()
                .filter(process -> isPostgresIn(directory, process.pid()))
                .toList();
    }

    private static boolean isPostgresIn(Path directory, long process) {
        try {
            return Files.readSymbolicLink(procFile(process, "cwd")).equals(directory)
                    && Files.readSymbolicLink(procFile(process, "exe"))
                            .getFileName()
                            .toString()
                            .startsWith("postgres");
        } catch (IOException goneOrOfOthers) {
            return false;
        }
    }

    /** The command line of a postmaster is readable for all users; that of a zombie is empty. */
    private boolean isOurs(long process) throws IOException {
        try {
            var words = Files.readString(procFile(process, "cmdline"), StandardCharsets.UTF_8)
                    .split("\0", -1);
            return List.of(words).contains(data.toString());
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException vanishing) {
            if (Files.exists(procFile(process, "cmdline"))) {
                throw vanishing;
            }
            return false;
        }
    }

    private static void waitUntil(Duration patience, WaitCondition condition) throws IOException {
        var end = System.nanoTime() + patience.toNanos();
        while (!condition.holds() && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    @FunctionalInterface
    private interface WaitCondition {
        boolean holds() throws IOException;
    }

    private static Path procFile(long process, String name) {
        return Path.of("/proc", Long.toString(process), name);
    }
}
