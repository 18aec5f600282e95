package io.millrace.app;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends the process when the thread of an event loop has died, including that of the acceptor. An error that escapes from a loop
 * (mostly exhausted memory) ends its thread silently: its connections are never answered again, while the process looks alive.
 * Polls from a dedicated thread, without allocating memory.
 */
public final class EventLoopWatch {
    private static final long LOOK_MS = 500;

    private final EventExecutor[] loops;
    private final Consumer<Throwable> onDeath;
    private final Error death = new Error("an event loop has ended", null, false, false) {
        private static final long serialVersionUID = 1L;
    };

    private EventLoopWatch(EventExecutor[] loops, Consumer<Throwable> onDeath) {
        this.loops = loops;
        this.onDeath = onDeath;
    }

    /**
     * Starts polling on a daemon thread. Also starts the threads of all loops and one worker thread: otherwise they would start
     * with the first task, and if the system refuses a thread, Netty only logs that. A listener would then neither listen nor
     * fail, and the start would never complete.
     *
     * @throws OutOfMemoryError when the system refuses one of the threads
     */
    public static void start(Vertx vertx, Consumer<Throwable> onDeath) {
        var all = (VertxInternal) vertx;
        all.acceptorEventLoopGroup().forEach(EventLoopWatch::begin);
        all.nettyEventLoopGroup().forEach(EventLoopWatch::begin);
        all.workerPool().executor().execute(() -> {});
        // This executor runs the deadlines of futures without a loop; the periodic task keeps its thread alive between
        // them.
        var _ = GlobalEventExecutor.INSTANCE.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS);
        look(all, onDeath);
    }

    private static void begin(EventExecutor loop) {
        loop.execute(() -> {});
    }

    private static void look(VertxInternal all, Consumer<Throwable> onDeath) {
        List<EventExecutor> loops = new ArrayList<>();
        all.nettyEventLoopGroup().forEach(loops::add);
        all.acceptorEventLoopGroup().forEach(loops::add);
        var watch = new EventLoopWatch(loops.toArray(EventExecutor[]::new), onDeath);
        var _ = Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("event-loop-watch").factory())
                .scheduleWithFixedDelay(watch::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            if (hasDead()) {
                onDeath.accept(death);
            }
        } catch (Error failure) {
            onDeath.accept(failure);
        }
    }

    private boolean hasDead() {
        for (var loop : loops) {
            if (loop.isShuttingDown()) {
                return true;
            }
        }
        return false;
    }
}
