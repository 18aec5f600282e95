package io.millrace.integration.git;

import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.Fence;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of the module: limits concurrency and time of operations, and serializes those on one project. Used on one event
 * loop; operations run off it.
 */
final class GitWork {
    private static final Logger LOG = LoggerFactory.getLogger(GitWork.class);

    private static final int THREADS = 4;
    private static final int WAITING_MAX = 100;

    /** Grace period after the timeout, before Vert.x warns of a blocked thread. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Longest wait for a thread; then the request is refused, before the caller's deadline. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Vertx vertx;
    private final WorkerExecutor threads;
    private final Duration timeout;
    private final Duration patience;
    private final Supplier<Fence> fences;
    private final Map<String, Future<?>> underWay = new HashMap<>();
    private int waiting;

    interface Operation<T> {
        T run(Attempt attempt) throws Exception;
    }

    /** @param fences permission to send, obtained when an operation is accepted */
    GitWork(Vertx vertx, Duration timeout, Supplier<Fence> fences) {
        this(vertx, timeout, PATIENCE, fences);
    }

    GitWork(Vertx vertx, Duration timeout, Duration patience, Supplier<Fence> fences) {
        this.fences = fences;
        this.vertx = vertx;
        this.timeout = timeout;
        this.patience = patience;
        this.threads = WorkerThreads.open(vertx, "git", THREADS, timeout.plus(GRACE));
    }

    /** Runs an operation after earlier ones on the same project; fails with an ApiException. */
    <T> Future<T> run(String projectId, Operation<T> operation) {
        if (waiting >= WAITING_MAX) {
            return Future.failedFuture(tooMany());
        }
        waiting++;
        return afterOthers(projectId, () -> timed(operation)).onComplete(_ -> waiting--);
    }

    private <T> Future<T> afterOthers(String projectId, Supplier<Future<T>> work) {
        var before = underWay.getOrDefault(projectId, Future.succeededFuture());
        var done = before.transform(_ -> work.get());
        underWay.put(projectId, done);
        done.onComplete(_ -> underWay.remove(projectId, done));
        return done;
    }

    private static ApiException tooMany() {
        return ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many git operations are running");
    }

    private <T> Future<T> timed(Operation<T> operation) {
        var attempt = new Attempt(fences.get());
        var askedNanos = System.nanoTime();
        return threads.executeBlocking(() -> inTime(operation, attempt, askedNanos), false)
                .recover(failure -> Future.failedFuture(told(failure, attempt)));
    }

    /** The timeout starts when the operation gets a thread: the wait for a thread does not count. */
    private <T> T inTime(Operation<T> operation, Attempt attempt, long askedNanos) throws Exception {
        if (System.nanoTime() - askedNanos > patience.toNanos()) {
            throw tooMany();
        }
        var timer = vertx.setTimer(timeout.toMillis(), _ -> end(attempt));
        try {
            return operation.run(attempt);
        } finally {
            vertx.cancelTimer(timer);
        }
    }

    private static void end(Attempt attempt) {
        try {
            attempt.end();
        } catch (Exception failure) {
            LOG.warn("cannot close a connection to a git server: {}", failure.getMessage());
        }
    }

    private Throwable told(Throwable failure, Attempt attempt) {
        if (attempt.isOver()) {
            // After a timeout any failure is a consequence of the closed connection.
            return ApiException.of(
                    ErrorCode.INVALID_GIT_CREDENTIALS,
                    "the git server did not finish within " + timeout.toSeconds() + " s");
        }
        if (!(failure instanceof GitFailure refused)) {
            return failure;
        }
        return switch (refused.kind()) {
            case REFUSED, OVERTAKEN -> ApiException.of(ErrorCode.INVALID_GIT_CREDENTIALS, refused.getMessage());
            case FENCED -> ApiException.of(ErrorCode.UNAVAILABLE, refused.getMessage());
            case TOO_LARGE -> ApiException.of(ErrorCode.VALIDATION, refused.getMessage());
        };
    }
}
