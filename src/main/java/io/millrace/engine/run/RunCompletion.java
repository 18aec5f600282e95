package io.millrace.engine.run;

import io.millrace.base.core.ApiException;
import io.millrace.engine.run.machine.RunState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one run goes from its actor, once: it pauses, ends, cannot be saved, or is carried on by another actor. Whoever
 * waits for it is told, or waits on.
 */
final class RunCompletion {
    private static final Logger LOG = LoggerFactory.getLogger(RunCompletion.class);

    private final RunHost host;
    private final RunActor run;
    private final RunCommits commits;
    private final PendingResponse caller;
    private final RunReporter reporter;
    private final Runnable release;
    private boolean ending;
    private boolean over;

    /** @param release lets go of what the actor holds */
    RunCompletion(
            RunHost host,
            RunActor run,
            RunCommits commits,
            PendingResponse caller,
            RunReporter reporter,
            Runnable release) {
        this.host = host;
        this.run = run;
        this.commits = commits;
        this.caller = caller;
        this.reporter = reporter;
        this.release = release;
    }

    /** Whether the run is over here, or just being written as ended. */
    boolean hasBegun() {
        return ending || over;
    }

    /** Whether the actor is not to be heard of again. */
    boolean isOver() {
        return over;
    }

    /** The run is paused and nothing has happened to it meanwhile: whoever resumes it makes it anew from its rows. */
    void pause() {
        stop();
        reporter.changed(RunStatus.PAUSED);
        host.paused(run, caller.handedOn(), commits.next());
    }

    /** The run goes on from its rows as soon as there is memory for it; whoever waits for it waits on. */
    void giveWay() {
        LOG.info("run {} gives way to others, for want of memory", run.runId());
        stop();
        reporter.changed(RunStatus.QUEUED);
        host.gaveWay(run, caller.handedOn());
    }

    /** Writes the end; the slot is another run's already while that takes. */
    void end(RunState.Ended end) {
        ending = true;
        run.timers().stop();
        run.turn().giveSlotBack();
        commits.logOf(end).onComplete(log -> {
            if (log.failed()) {
                abandon(log.cause());
            } else {
                write(commits.endingOf(end, log.result()));
            }
        });
    }

    private void write(RunWrite.Ending ending) {
        commits.end(ending).onComplete(done -> {
            if (over) {
                return;
            }
            if (done.failed() || !done.result()) {
                abandon(done.cause());
                return;
            }
            stop();
            caller.ended(ending.status());
            reporter.ended(ending);
            host.ended(run, ending.status());
        });
    }

    /** Another node owns the run, or nothing can be saved: this actor stops without another word to the database. */
    void abandon(Throwable cause) {
        if (over) {
            return;
        }
        if (cause == null) {
            LOG.warn("run {} has another owner", run.runId());
        } else if (ApiException.isUnavailable(cause)) {
            // Why is in the log already, and a busy server would say this a thousand times a second.
            LOG.debug("run {} could not be saved: {}", run.runId(), cause.getMessage());
        } else {
            LOG.error("run {} could not be saved", run.runId(), cause);
        }
        stop();
        caller.lost(cause);
        host.abandoned(run, cause);
    }

    /**
     * Another actor carries the run on: this one stops at once.
     *
     * @param next the run as it is carried on
     * @return who waits on
     */
    StartListener supersede(RunSnapshot next) {
        LOG.debug("run {} is carried on by another actor", run.runId());
        stop();
        return caller.takenOver(commits.isPauseOf(next));
    }

    private void stop() {
        over = true;
        run.timers().stop();
        run.turn().giveSlotBack();
        release.run();
    }
}
