package io.millrace.engine.run.journal;

import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.StartListener;
import io.millrace.piece.HttpAnswer;

/** The waiting caller of one run, and its pending answer. Only the first answer counts (contract 13.1). */
public final class PendingResponse {
    private final String runId;
    private final StartListener waiter;
    private boolean answered;
    private HttpAnswer pending;

    public PendingResponse(String runId, StartListener waiter) {
        this.runId = runId;
        this.waiter = waiter;
    }

    boolean wantsAcceptance() {
        return waiter.wantsAcceptance();
    }

    public boolean wantsAnswer() {
        return waiter.wantsAnswer();
    }

    /** Accepts an answer; it is delivered as soon as the results before it are durable. */
    public void answer(HttpAnswer answer) {
        if (!answered) {
            answered = true;
            pending = answer;
        }
    }

    public boolean isToBeAnswered() {
        return pending != null && waiter.wantsAnswer();
    }

    public void accepted() {
        waiter.accepted(runId);
    }

    /** Delivers the answer: all results so far are durable. */
    public void deliver() {
        if (pending != null) {
            waiter.answered(runId, pending);
            pending = null;
        }
    }

    public void ended(RunStatus status) {
        accepted();
        deliver();
        waiter.ended(runId, status);
    }

    /** The run could not be saved; null when another node has it. */
    public void lost(Throwable cause) {
        waiter.lost(runId, cause);
    }

    /**
     * The still waiting caller, when another actor has taken the run over. The run is in the table, so it has been
     * accepted.
     *
     * @param saved whether the results that led to an answer are durable; otherwise the answer is discarded
     */
    public StartListener takenOver(boolean saved) {
        accepted();
        if (saved) {
            deliver();
        } else if (pending != null) {
            lost(null);
        }
        return handedOn();
    }

    public StartListener handedOn() {
        return answered ? StartListener.nobody() : waiter;
    }
}
