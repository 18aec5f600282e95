package io.millrace.piece.builtin.action;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;

/** Work that would hold up an event loop, done beside it. */
public final class LongWork {
    private LongWork() {}

    /** Where there is no event loop, nothing is held up and the work is done at once. */
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
