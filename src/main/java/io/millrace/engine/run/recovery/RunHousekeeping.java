package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.TimeUnit;

/** Asks for a round of {@link RunHousekeepingService} at the start and every hour. Nothing waits for it. */
public final class RunHousekeeping extends VerticleBase {
    private static final long ROUND_MS = 60 * 60_000;

    /** After a round in which something was refused, such as a lock that somebody else held. */
    private static final long AGAIN_MS = 60_000;

    /** Many statements, each with its own limit. */
    private static final long ASK_DEADLINE_MS = TimeUnit.MINUTES.toMillis(30);

    private final Bus bus;
    private boolean stopped;

    public RunHousekeeping(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Future<?> start() {
        return round();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }

    private Future<Void> round() {
        return bus.ask(new RunHousekeepingService.Round(), ASK_DEADLINE_MS)
                .otherwise(false)
                .onSuccess(this::later)
                .mapEmpty();
    }

    private void later(boolean whole) {
        if (!stopped) {
            vertx.setTimer(whole ? ROUND_MS : AGAIN_MS, _ -> round());
        }
    }
}
