package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Requests a round of {@link RunHousekeepingService} at the start and every hour, at one node of the cluster. The start
 * waits for the partitions only.
 */
public final class RunHousekeeping extends VerticleBase {
    private static final long ROUND_MS = 60 * 60_000;

    /** Pause after a round with a refused part, such as a lock held by another transaction. */
    private static final long AGAIN_MS = 60_000;

    /** Many statements, each with its own limit. */
    private static final long ASK_DEADLINE_MS = TimeUnit.MINUTES.toMillis(30);

    private static final long PREPARE_DEADLINE_MS = 60_000;

    private static final long CLAIM_DEADLINE_MS = 10_000;

    private final Bus bus;
    private boolean stopped;

    public RunHousekeeping(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Future<?> start() {
        return bus.ask(new RunHousekeepingService.Prepare(), PREPARE_DEADLINE_MS)
                .otherwise(false)
                .onSuccess(_ -> round());
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }

    /** A node that cannot determine the others does the work, too: repetition is harmless. */
    private Future<Void> round() {
        return bus.ask(new Cluster.ClaimRound("runs", Duration.ofMillis(ROUND_MS)), CLAIM_DEADLINE_MS)
                .otherwise(true)
                .compose(isMine -> isMine ? whole() : Future.succeededFuture(true))
                .onSuccess(this::later)
                .mapEmpty();
    }

    private Future<Boolean> whole() {
        return bus.ask(new RunHousekeepingService.Round(), ASK_DEADLINE_MS).otherwise(false);
    }

    /** The round stays with this node when it is repeated. */
    private void later(boolean isWhole) {
        if (!stopped) {
            vertx.setTimer(
                    isWhole ? ROUND_MS : AGAIN_MS,
                    _ -> (isWhole ? round() : whole().onSuccess(this::later)).mapEmpty());
        }
    }
}
