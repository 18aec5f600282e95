package io.millrace.base.persistence.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of an embedded PostgreSQL that waits for space on a full disk: a process that ended instead would be restarted
 * repeatedly by its supervisor, and could still need an operator once there is space.
 */
public final class PostgresStart {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresStart.class);

    /** Twice the size of a segment of the write-ahead log: one for the log, one for other writes of a start. */
    private static final long ROOM_BYTES_MIN = 32 << 20;

    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int PAUSES_PER_WORD = 15;

    /** Text of the operating system, which PostgreSQL and the JDK repeat. */
    private static final String NO_ROOM = "No space left on device";

    /** Message of PostgreSQL when the last page was written only in part. */
    private static final String HALF_A_ROOM = "Check free disk space";

    private final Vertx vertx;
    private final EmbeddedPostgres.Settings settings;
    private final long end;
    private int pauses;

    private PostgresStart(Vertx vertx, EmbeddedPostgres.Settings settings, Duration patience) {
        this.vertx = vertx;
        this.settings = settings;
        this.end = System.nanoTime() + patience.toNanos();
    }

    /**
     * Starts PostgreSQL; fails with {@link PostgresStartException}.
     *
     * @param patience time limit of the wait for space
     */
    public static Future<EmbeddedPostgres> of(Vertx vertx, EmbeddedPostgres.Settings settings, Duration patience) {
        return new PostgresStart(vertx, settings, patience).attempt();
    }

    private Future<EmbeddedPostgres> attempt() {
        return vertx.executeBlocking(this::started, false).recover(this::laterWhenFull);
    }

    private EmbeddedPostgres started() {
        var left = usableBytes();
        if (left < ROOM_BYTES_MIN) {
            throw new PostgresStartException(NO_ROOM + ": expected " + (ROOM_BYTES_MIN >> 20) + " MB at least in "
                    + settings.dataDirectory() + ", found " + (left >> 20) + " MB");
        }
        return EmbeddedPostgres.start(settings);
    }

    private long usableBytes() {
        var directory = existing(settings.dataDirectory().toAbsolutePath());
        try {
            var store = Files.getFileStore(directory);
            // A file system without blocks, such as /proc, never has space: writing to it reports the actual error.
            return store.getTotalSpace() == 0 ? Long.MAX_VALUE : store.getUsableSpace();
        } catch (IOException unknown) {
            LOG.debug("cannot determine the free disk space of {}", directory, unknown);
            return Long.MAX_VALUE;
        }
    }

    private static Path existing(Path directory) {
        var found = directory;
        while (!Files.exists(found) && found.getParent() != null) {
            found = found.getParent();
        }
        return found;
    }

    static boolean isOfFullDisk(Throwable failure) {
        var said = String.valueOf(failure.getMessage());
        return said.contains(NO_ROOM) || said.contains(HALF_A_ROOM);
    }

    private Future<EmbeddedPostgres> laterWhenFull(Throwable failure) {
        if (!isOfFullDisk(failure) || System.nanoTime() - end >= 0) {
            return Future.failedFuture(failure);
        }
        if (pauses++ % PAUSES_PER_WORD == 0) {
            LOG.warn("waiting for free disk space: {}", failure.getMessage());
        }
        return vertx.timer(PAUSE.toMillis()).compose(_ -> attempt());
    }
}
