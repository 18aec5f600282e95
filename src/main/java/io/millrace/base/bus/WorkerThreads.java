package io.millrace.base.bus;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Threads for blocking work, separate from the shared pool. */
public final class WorkerThreads {
    /** Default duration after which the log warns of blocked work. */
    private static final Duration USUAL = Duration.ofMinutes(1);

    private WorkerThreads() {}

    /**
     * Opens a pool of worker threads that is closed with its Vert.x. Vert.x itself keeps an executor, and all objects
     * reachable from it, until the executor is closed.
     */
    public static WorkerExecutor open(Vertx vertx, String name, int threads, Duration longest) {
        var executor = vertx.createSharedWorkerExecutor(name, threads, longest.toMillis(), TimeUnit.MILLISECONDS);
        ((VertxInternal) vertx).addCloseHook(closed -> executor.close().onComplete(closed));
        return executor;
    }

    public static WorkerExecutor open(Vertx vertx, String name, int threads) {
        return open(vertx, name, threads, USUAL);
    }
}
