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
 * One event loop and the verticles on it. Those that mostly talk to each other share a loop: what one asks of another
 * then wakes no thread (decision 0091).
 */
final class SharedEventLoop {
    private final VertxInternal vertx;
    private final EventLoop loop;

    private SharedEventLoop(VertxInternal vertx) {
        this.vertx = vertx;
        this.loop = vertx.nettyEventLoopGroup().next();
    }

    /** So many, each with an event loop of its own as long as there are that many. */
    static List<SharedEventLoop> of(Vertx vertx, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> new SharedEventLoop((VertxInternal) vertx))
                .toList();
    }

    /**
     * Starts a verticle on this event loop.
     *
     * @return what stops it again, and closes what it has opened
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

    /** What a verticle does at its start or its end. */
    @FunctionalInterface
    private interface Work {
        Future<?> begin() throws Exception;
    }
}
