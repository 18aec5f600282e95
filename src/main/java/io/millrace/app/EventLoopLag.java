package io.millrace.app;

import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures once a second the delay of each event loop, during which it cannot serve requests. */
final class EventLoopLag {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<ScheduledFuture<?>> looks = new ArrayList<>();

    private EventLoopLag() {}

    static EventLoopLag start(Vertx vertx, MeterSet meters) {
        var lag = new EventLoopLag();
        var durations = meters.durations(ServerMeter.EVENT_LOOP_LAG);
        for (var loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
            lag.looks.add(look(loop, durations));
        }
        return lag;
    }

    private static ScheduledFuture<?> look(EventExecutor loop, FixedHistogram durations) {
        var due = new long[] {System.nanoTime() + LOOK_NANOS};
        return loop.scheduleWithFixedDelay(
                () -> {
                    var now = System.nanoTime();
                    durations.record(now - due[0]);
                    due[0] = now + LOOK_NANOS;
                },
                LOOK_NANOS,
                LOOK_NANOS,
                TimeUnit.NANOSECONDS);
    }

    void stop() {
        looks.forEach(look -> look.cancel(false));
    }
}
