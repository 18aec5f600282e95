package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a former life of this data directory left running or lying about. The caller holds the {@link DirectoryLock}, so
 * a PostgreSQL found here has no owner any more: it is ended politely, then less politely. A pid file that names a
 * stranger (after a restart of the container numbers are dealt anew) or a zombie is removed, because PostgreSQL itself
 * only looks whether a process of that number exists.
 */
final class StalePostmaster {
    private static final Logger LOG = LoggerFactory.getLogger(StalePostmaster.class);
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(20).toNanos();
    private static final Duration COMMAND_DEADLINE = Duration.ofSeconds(5);

    /** PostgreSQL's words: INT ends sessions and checkpoints, QUIT gives up at once, KILL cannot be refused. */
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

    /** Makes the way free for a new server. */
    void clear() throws IOException {
        var found = processId();
        if (found.isEmpty()) {
            return;
        }
        var process = found.get();
        for (var step : ShutdownSignal.values()) {
            if (!isOurs(process)) {
                break;
            }
            LOG.info("ending PostgreSQL {} that a former server left on {} ({})", process, data, step);
            send(step.name(), process);
            waitForEnd(process, step.patience);
        }
        if (isOurs(process)) {
            throw new PostgresStartException(
                    "PostgreSQL " + process + " of a former server still runs on " + data + " and cannot be ended");
        }
        if (Files.exists(procFile(process, "stat"))) {
            Files.deleteIfExists(pidFile);
        }
    }

    /** Number of the process that the pid file names. */
    Optional<Long> processId() throws IOException {
        try {
            var lines = Files.readAllLines(pidFile);
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.getFirst().strip()));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (NumberFormatException damaged) {
            // Lost power may leave it half-written; PostgreSQL would refuse it for ever.
            Files.deleteIfExists(pidFile);
            return Optional.empty();
        }
    }

    /** Sends a signal by name. */
    static void send(String signal, long process) throws IOException {
        Command.run(List.of("sh", "-c", "kill \"-$1\" \"$2\"", "sh", signal, Long.toString(process)), COMMAND_DEADLINE);
    }

    /** The postmaster keeps the words it was started with for all to read; a zombie has none. */
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

    private void waitForEnd(long process, Duration patience) throws IOException {
        var end = System.nanoTime() + patience.toNanos();
        while (isOurs(process) && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private static Path procFile(long process, String name) {
        return Path.of("/proc", Long.toString(process), name);
    }
}
