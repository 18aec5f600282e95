package io.millrace.base.bus;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Threads for work that blocks, apart from those that everybody shares. */
public final class WorkerThreads {
    /** How long work may take before the log says so, where nobody says otherwise. */
    private static final Duration USUAL = Duration.ofMinutes(1);

    private WorkerThreads() {}

    /**
     * So many threads of a name. They end with their Vert.x, and so does what the process keeps of them: Vert.x itself
     * keeps an executor, and all that it leads to, until somebody has closed it.
     */
    public static WorkerExecutor open(Vertx vertx, String name, int threads, Duration longest) {
        var executor = vertx.createSharedWorkerExecutor(name, threads, longest.toMillis(), TimeUnit.MILLISECONDS);
        ((VertxInternal) vertx).addCloseHook(closed -> executor.close().onComplete(closed));
        return executor;
    }

    /** Threads for work of which nothing is known. */
    public static WorkerExecutor open(Vertx vertx, String name, int threads) {
        return open(vertx, name, threads, USUAL);
    }
}
