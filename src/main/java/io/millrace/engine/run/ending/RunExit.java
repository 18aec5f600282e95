package io.millrace.engine.run.ending;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RetryStrategy;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunRelease;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.store.RunOwnership;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follow-up work when a run leaves its shard: its end is announced, a broken run is retried, and one that cannot be
 * saved is released.
 */
public final class RunExit {
    private static final Logger LOG = LoggerFactory.getLogger(RunExit.class);
    private static final long GIVE_AWAY_AGAIN_MS = 2_000;

    private final Bus bus;
    private final RunTimers.Clockwork clockwork;
    private final RunEndReports reports;
    private final ParentRuns parents;
    private final InternalErrorRetry broken = new InternalErrorRetry();

    public RunExit(Bus bus, RunTimers.Clockwork clockwork, RunEndReports reports) {
        this.bus = bus;
        this.reports = reports;
        this.clockwork = clockwork;
        this.parents = new ParentRuns(bus);
    }

    /**
     * The run's end is durable. A parent is not notified of a run that is retried.
     *
     * @param trace context of the run in a recorded trace
     */
    public void ended(RunWrite.RunHeader header, RunWrite.Ending ending, Optional<TraceContext> trace) {
        var failedStep = ending.failedStep();
        var status = RunStatus.of(ending.status());
        reports.ended(header, status, failedStep == null ? null : failedStep.name(), ending.finishTime(), trace);
        told(header, status);
    }

    private void told(RunWrite.RunHeader header, RunStatus status) {
        bus.publish(Runs.Ended.of(header, status));
        if (status != RunStatus.INTERNAL_ERROR) {
            broken.mended(header.id());
            parents.childEnded(header, status);
            return;
        }
        var pauseMs = broken.broke(header.id());
        pauseMs.ifPresentOrElse(
                ms -> clockwork.setTimer(ms, () -> tryAgain(header)), () -> parents.childEnded(header, status));
    }

    private void tryAgain(RunWrite.RunHeader header) {
        LOG.info("run {} failed because of a defect and is retried", header.id());
        bus.ask(
                        new RunCommands.Retry(header.projectId(), header.id(), RetryStrategy.FROM_FAILED_STEP, null),
                        RunWrite.DEADLINE_MS)
                .onFailure(cause -> {
                    LOG.warn("cannot retry run {}: {}", header.id(), cause.getMessage());
                    parents.childEnded(header, RunStatus.INTERNAL_ERROR);
                });
    }

    /**
     * A run without rows was never acknowledged. If it has rows although its writer received a failure, the check for
     * orphans finds it.
     *
     * @param stored whether the run is known to have rows
     * @param cause reason why the run could not be saved, or null when another owner has it
     */
    public void abandoned(RunWrite.RunHeader header, long fence, boolean stored, Throwable cause) {
        if (isPassing(cause) && !stored) {
            LOG.debug("run {} was refused", header.id());
        } else if (isPassing(cause)) {
            giveAway(new RunRelease(header.id(), fence));
        } else if (cause != null) {
            end(header, fence, RowEvent.Closing.UNSAVABLE);
        }
    }

    private static boolean isPassing(Throwable cause) {
        return ApiException.isUnavailable(cause)
                || cause instanceof ApiException refused && refused.code() == ErrorCode.TOO_MANY_REQUESTS;
    }

    /**
     * This node keeps its lease, so no other node would take the run over: it is released, as soon as that succeeds.
     */
    public void giveAway(RunRelease run) {
        bus.ask(RunOwnership.RELEASE, run, RunWrite.DEADLINE_MS).onFailure(cause -> {
            LOG.warn("cannot release run {} yet: {}", run.runId(), cause.getMessage());
            clockwork.setTimer(GIVE_AWAY_AGAIN_MS, () -> giveAway(run));
        });
    }

    /**
     * Ends a run that has ended servers too often. It is retried on request of a user only.
     *
     * @param withoutLog whether its values must not be read
     */
    public Future<Void> setAside(OwnedRun run, boolean withoutLog) {
        LOG.error("run {} is set aside: it was executing when {} servers ended", run.runId(), run.crashes());
        return bus.ask(new RunEndings.SetAside(run, withoutLog), RunWrite.DEADLINE_MS)
                .onSuccess(ended -> ended.ifPresent(header -> {
                    reports.ended(header, RunStatus.INTERNAL_ERROR, null, null, Optional.empty());
                    bus.publish(Runs.Ended.of(header, RunStatus.INTERNAL_ERROR));
                    parents.childEnded(header, RunStatus.INTERNAL_ERROR);
                }))
                .onFailure(cause -> {
                    LOG.error("cannot set run {} aside yet", run.runId(), cause);
                    giveAway(new RunRelease(run.runId(), run.fence()));
                })
                .mapEmpty();
    }

    /** Ends a run that this shard owns and cannot walk any further. */
    public void end(RunWrite.RunHeader header, long fence, RowEvent.Closing why) {
        bus.ask(new RunEndings.End(header.id(), fence, why, false), RunWrite.DEADLINE_MS)
                .onSuccess(ended -> ended.ifPresent(status -> {
                    reports.ended(header, status, null, null, Optional.empty());
                    told(header, status);
                }))
                .onFailure(cause -> LOG.error("cannot end run {}", header.id(), cause));
    }
}
