package io.millrace.piece.builtin.data;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** Serializes memory-intensive work: the next starts when the previous has ended. Thread-safe. */
final class OneAtATime {
    private Future<Void> last = Future.succeededFuture();

    /** Starts the work when the previous work has ended, on the caller's context. */
    synchronized <T> Future<T> next(Supplier<Future<T>> work) {
        var context = Vertx.currentContext();
        var done = Promise.<T>promise();
        last.onComplete(_ -> begin(context, work, done));
        // The result belongs to the caller only and is not retained until the next call.
        last = done.future().transform(_ -> Future.succeededFuture());
        return done.future();
    }

    private static <T> void begin(Context context, Supplier<Future<T>> work, Promise<T> done) {
        if (context == null) {
            Future.<Void>succeededFuture().compose(_ -> work.get()).onComplete(done);
        } else {
            context.runOnContext(_ -> Future.<Void>succeededFuture()
                    .compose(nothing -> work.get())
                    .onComplete(done));
        }
    }
}
