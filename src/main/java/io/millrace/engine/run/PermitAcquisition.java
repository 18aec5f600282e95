package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.machine.RunEvent;

/**
 * How one run begins: at once when it has a slot, otherwise after it has waited in line for one. Meanwhile it is
 * durable, and seen as QUEUED.
 */
final class PermitAcquisition {
    private final RunHost host;
    private final RunActor run;
    private final RunCommits commits;
    private final RunJournal journal;
    private final RunReporter reporter;
    private final StepDriver steps;
    private final JsonNode payload;
    private final long payloadBytes;
    private RunPermit slot;
    private boolean granted;

    PermitAcquisition(
            RunHost host,
            RunActor run,
            RunCommits commits,
            RunJournal journal,
            RunReporter reporter,
            StepDriver steps,
            JsonNode payload,
            long payloadBytes) {
        this.host = host;
        this.run = run;
        this.commits = commits;
        this.journal = journal;
        this.reporter = reporter;
        this.steps = steps;
        this.payload = payload;
        this.payloadBytes = payloadBytes;
    }

    /** Begins with the slot, or waits in line for it. */
    void take(RunPermit place) {
        slot = place;
        if (run.isPastBeginning()) {
            giveSlotBack();
        } else if (slot.isHeldAtOnce()) {
            beginNow();
        } else {
            run.saveThen(commits.queue(), this::inLine);
        }
    }

    private void inLine() {
        reporter.changed(RunStatus.QUEUED);
        run.stored();
        if (granted) {
            beginAfterLine();
        }
    }

    /** The run waited in line and has its slot now; may be called on any thread. */
    void beginLater() {
        host.later(this::beginAfterLine);
    }

    /** The slot may come while it is just being saved that the run waits. */
    private void beginAfterLine() {
        if (run.isPastBeginning()) {
            giveSlotBack();
        } else if (run.isSaving()) {
            granted = true;
        } else {
            beginNow();
        }
    }

    /**
     * Begins without waiting, for the database neither: a slot that is held over a commit would let so few runs of
     * microseconds through that the line behind it never ends (decision 0085).
     */
    void beginNow() {
        commits.begin();
        reporter.changed(RunStatus.RUNNING);
        journal.begin(payload, payloadBytes);
        reporter.triggered(journal.steps());
        if (run.flow().test() == null) {
            run.accept(new RunEvent.Begun(payloadBytes));
        } else {
            run.timers().startDeadline();
            steps.surround(() -> run.accept(new RunEvent.Begun(payloadBytes)));
        }
    }

    /** Ends the run at once with its trigger as the failed step. */
    void beginFailed(String errorMessage) {
        journal.beginFailed(payload, payloadBytes, errorMessage);
        run.accept(new RunEvent.TriggerFailed(errorMessage));
    }

    /** A run that ends before it has begun has its trigger's output in its log all the same: a retry needs it. */
    void prepareEnd() {
        if (!journal.hasBegun()) {
            journal.begin(payload, payloadBytes);
        }
    }

    /** Nobody knows whether the run may begin: it is let go, and begins where and when that is known. */
    void refuse(Throwable cause) {
        if (!run.isPastBeginning()) {
            run.letGo(
                    ApiException.isUnavailable(cause)
                            ? cause
                            : ApiException.of(ErrorCode.UNAVAILABLE, "the limits of the run cannot be read"));
        }
    }

    void giveSlotBack() {
        if (slot != null) {
            slot.giveBack();
        }
    }
}
