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
 * Ends the process when one of its event loops has ended, that of the acceptor among them. An error that escapes from a
 * loop (memory exhausted, most of all) ends its thread without a word to anybody: whoever is served by it is never
 * answered again, while the process looks alive. Looks from a thread of its own, which needs no memory to do so.
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
     * Begins to look, on a thread that does not keep the process alive. All loops have their threads from then on, and there is
     * one for what blocks: they would else begin with the first task, and where no thread can be had Netty only logs that. A
     * listener would neither listen nor fail, and the start would wait for ever.
     *
     * @throws OutOfMemoryError when one of them cannot be had
     */
    public static void start(Vertx vertx, Consumer<Throwable> onDeath) {
        var all = (VertxInternal) vertx;
        all.acceptorEventLoopGroup().forEach(EventLoopWatch::begin);
        all.nettyEventLoopGroup().forEach(EventLoopWatch::begin);
        all.workerPool().executor().execute(() -> {});
        // Deadlines of futures that belong to no loop are its business; it would end and begin its thread for each.
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
