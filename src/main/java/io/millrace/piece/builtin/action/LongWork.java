package io.millrace.piece.builtin.action;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;

/** Runs long computations off the event loop. */
public final class LongWork {
    private LongWork() {}

    /** Runs the work on a worker thread; outside an event loop it runs synchronously. */
    public static <T> Future<T> run(Callable<T> work) {
        var around = Vertx.currentContext();
        if (around != null) {
            return around.executeBlocking(work, false);
        }
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception failure) {
            return Future.failedFuture(failure);
        }
    }
}
