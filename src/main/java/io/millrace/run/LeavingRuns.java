package io.millrace.run;

import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows when a run leaves its shard: its end is told, one that broke is tried again, and one that cannot be
 * saved is given away.
 */
final class LeavingRuns {
    private static final Logger LOG = LoggerFactory.getLogger(LeavingRuns.class);
    private static final long GIVE_AWAY_AGAIN_MS = 2_000;

    private final Bus bus;
    private final RunTimers.Clockwork clockwork;
    private final ParentRuns parents;
    private final BrokenRuns broken = new BrokenRuns();

    LeavingRuns(Bus bus, RunTimers.Clockwork clockwork) {
        this.bus = bus;
        this.clockwork = clockwork;
        this.parents = new ParentRuns(bus);
    }

    /** The run's end is durable. A parent is not told of a run that is tried again. */
    void ended(RunWrite.Birth birth, RunStatus status) {
        bus.publish(Runs.Ended.of(birth, status));
        if (status != RunStatus.INTERNAL_ERROR) {
            broken.mended(birth.id());
            parents.childEnded(birth, status);
            return;
        }
        var pauseMs = broken.broke(birth.id());
        pauseMs.ifPresentOrElse(
                ms -> clockwork.setTimer(ms, () -> tryAgain(birth)), () -> parents.childEnded(birth, status));
    }

    private void tryAgain(RunWrite.Birth birth) {
        LOG.info("run {} broke and is tried again", birth.id());
        bus.ask(new Runs.Retry(birth.projectId(), birth.id(), RetryStrategy.FROM_FAILED_STEP), RunWrite.DEADLINE_MS)
                .onFailure(cause -> {
                    LOG.warn("run {} cannot be tried again: {}", birth.id(), cause.getMessage());
                    parents.childEnded(birth, RunStatus.INTERNAL_ERROR);
                });
    }

    /**
     * A run without rows has nobody who was promised anything. Should it have got some, although their writer was told
     * otherwise, {@link LostRuns} finds it.
     *
     * @param stored whether the run is known to have rows
     * @param cause why the run could not be saved, or null when another owner has it
     */
    void abandoned(RunWrite.Birth birth, long fence, boolean stored, Throwable cause) {
        if (isPassing(cause) && !stored) {
            LOG.debug("run {} was refused", birth.id());
        } else if (isPassing(cause)) {
            giveAway(new RunRelease(birth.id(), fence));
        } else if (cause != null) {
            end(birth, fence, RunStatus.INTERNAL_ERROR);
        }
    }

    /** Whether the database may be able to save later what it could not save now. */
    private static boolean isPassing(Throwable cause) {
        return ApiException.isUnavailable(cause)
                || cause instanceof ApiException refused && refused.code() == ErrorCode.TOO_MANY_REQUESTS;
    }

    /** This node keeps its lease, so nobody else would look after the run: it is given away, as soon as that works. */
    void giveAway(RunRelease run) {
        bus.ask(RunOwnership.RELEASE, run, RunWrite.DEADLINE_MS).onFailure(cause -> {
            LOG.warn("run {} could not be given away yet: {}", run.runId(), cause.getMessage());
            clockwork.setTimer(GIVE_AWAY_AGAIN_MS, () -> giveAway(run));
        });
    }

    /**
     * Ends a run that has ended servers too often. It is not tried again unless somebody asks for it.
     *
     * @param withoutLog whether not even its values are to be read
     */
    Future<Void> setAside(OwnedRun run, boolean withoutLog) {
        LOG.error("run {} was at work when {} servers ended, and is set aside", run.runId(), run.crashes());
        return bus.ask(new RunEndings.SetAside(run, withoutLog), RunWrite.DEADLINE_MS)
                .onSuccess(ended -> ended.ifPresent(birth -> {
                    bus.publish(Runs.Ended.of(birth, RunStatus.INTERNAL_ERROR));
                    parents.childEnded(birth, RunStatus.INTERNAL_ERROR);
                }))
                .onFailure(cause -> {
                    LOG.error("run {} could not be set aside yet", run.runId(), cause);
                    giveAway(new RunRelease(run.runId(), run.fence()));
                })
                .mapEmpty();
    }

    /** Ends a run that this shard owns and cannot walk any further. */
    void end(RunWrite.Birth birth, long fence, RunStatus status) {
        bus.ask(new RunEndings.End(birth.id(), fence, status, false), RunWrite.DEADLINE_MS)
                .onSuccess(ended -> {
                    if (ended) {
                        ended(birth, status);
                    }
                })
                .onFailure(cause -> LOG.error("run {} could not be ended", birth.id(), cause));
    }
}
