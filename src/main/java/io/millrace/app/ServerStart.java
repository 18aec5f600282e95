package io.millrace.app;

import io.millrace.base.core.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start of a server with retries while its database is not available: not yet started, starting, or in crash recovery. Without
 * retries, a supervisor would restart the process repeatedly. Other failures, for example a wrong password, are not retried.
 */
final class ServerStart {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStart.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int PAUSES_PER_WORD = 30;

    private final Vertx vertx;
    private final Supplier<Future<Server>> attempt;
    private final long end;
    private int pauses;

    private ServerStart(Vertx vertx, Duration patience, Supplier<Future<Server>> attempt) {
        this.vertx = vertx;
        this.attempt = attempt;
        this.end = System.nanoTime() + patience.toNanos();
    }

    /**
     * Starts a server.
     *
     * @param patience longest wait for the database
     * @param attempt one start attempt; it releases all resources when it fails
     */
    static Future<Server> of(Vertx vertx, Duration patience, Supplier<Future<Server>> attempt) {
        return new ServerStart(vertx, patience, attempt).attempt();
    }

    private Future<Server> attempt() {
        return attempt.get().recover(this::laterWhenAway);
    }

    private Future<Server> laterWhenAway(Throwable failure) {
        if (!ApiException.isUnavailable(failure) || System.nanoTime() - end >= 0) {
            return Future.failedFuture(failure);
        }
        if (pauses++ % PAUSES_PER_WORD == 0) {
            LOG.warn("waiting for the database: {}", failure.getMessage());
        }
        return vertx.timer(PAUSE.toMillis()).compose(_ -> attempt());
    }
}
