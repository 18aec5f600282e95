package io.millrace.engine.run.recovery;

import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunClock;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run of a shard that is suspected of ending servers and is on trial. Only one suspect executes per node, so that
 * an end of the node within its trial has one suspect; after its progress, or the end of its trial, the next one is
 * taken up. Not thread-safe: confined to its shard's event loop.
 */
final class CrashSuspectGate {
    private static final Logger LOG = LoggerFactory.getLogger(CrashSuspectGate.class);
    private static final long PATIENCE_MS = 30_000;

    private final RunClock clock;
    private final TakeoverLimits limits;
    private final Function<OwnedRun, Future<Void>> acquit;
    private String runId;
    private long timer;

    /** @param acquit has the end of this node count for the run from then on, not against it */
    CrashSuspectGate(RunClock clock, TakeoverLimits limits, Function<OwnedRun, Future<Void>> acquit) {
        this.clock = clock;
        this.limits = limits;
        this.acquit = acquit;
    }

    /** Begins the run on the event loop as soon as no other suspect executes. */
    void takeUp(OwnedRun run, Runnable begin) {
        limits.takeUp(() -> clock.later(() -> {
            runId = run.runId();
            timer = clock.setTimer(limits.window().toMillis(), () -> survived(run));
            begin.run();
        }));
    }

    /** The next trial begins after this is durable: of two suspects, none would be blamed. */
    private void survived(OwnedRun run) {
        acquit.apply(run)
                .onFailure(cause -> LOG.warn(
                        "run {} remains a crash suspect: cannot write the end of its trial: {}",
                        run.runId(),
                        cause.getMessage()))
                .onComplete(_ -> clock.later(() -> progressed(run.runId())));
    }

    /** A run that executed during a server crash but is not a suspect: it executes before any suspect. */
    void startBeforeSuspects(String id) {
        limits.startBeforeSuspects(id);
        clock.setTimer(PATIENCE_MS, () -> limits.progressed(id));
    }

    /** No effect unless suspects wait for the run, or it is the suspect. */
    void progressed(String id) {
        limits.progressed(id);
        if (id.equals(runId)) {
            runId = null;
            clock.cancelTimer(timer);
            limits.passed();
        }
    }
}
