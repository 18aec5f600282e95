package io.millrace.app;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One event loop and the verticles on it. Verticles that communicate often share a loop, so that a request between them wakes
 * no other thread (decision 0091).
 */
final class SharedEventLoop {
    private final VertxInternal vertx;
    private final EventLoop loop;

    private SharedEventLoop(VertxInternal vertx) {
        this.vertx = vertx;
        this.loop = vertx.nettyEventLoopGroup().next();
    }

    /** Creates this number, each on a separate event loop as long as enough loops exist. */
    static List<SharedEventLoop> of(Vertx vertx, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> new SharedEventLoop((VertxInternal) vertx))
                .toList();
    }

    /**
     * Starts a verticle on this event loop.
     *
     * @return action that stops it and closes its resources
     */
    Future<Supplier<Future<Void>>> deploy(Deployable verticle) {
        var opened = new CloseFuture();
        var context = vertx.contextBuilder()
                .withThreadingModel(ThreadingModel.EVENT_LOOP)
                .withEventLoop(loop)
                .withCloseFuture(opened)
                .build();
        return on(context, () -> verticle.deploy(context))
                .<Supplier<Future<Void>>>map(
                        () -> on(context, () -> verticle.undeploy(context)).eventually(opened::close))
                .recover(failure -> opened.close().transform(_ -> Future.failedFuture(failure)));
    }

    private static Future<Void> on(Context context, Work work) {
        return Future.future(promise -> context.runOnContext(_ -> {
            Future<Void> done;
            try {
                done = work.begin().mapEmpty();
            } catch (Exception failure) {
                done = Future.failedFuture(failure);
            }
            done.onComplete(promise);
        }));
    }

    @FunctionalInterface
    private interface Work {
        Future<?> begin() throws Exception;
    }
}
