package io.millrace.app;

import io.millrace.base.core.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a server that waits for its database: one that is not there yet, is starting or recovers from a crash. A
 * process that ended instead would be started again and again by whoever looks after it. What is not the database's
 * absence, a wrong password for instance, is not waited for.
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
     * @param patience how long the database is waited for
     * @param attempt begins from nothing, and leaves nothing when it fails
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
            LOG.warn("the start waits for the database: {}", failure.getMessage());
        }
        return vertx.timer(PAUSE.toMillis()).compose(_ -> attempt());
    }
}
