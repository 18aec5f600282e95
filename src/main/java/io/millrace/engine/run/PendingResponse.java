package io.millrace.engine.run;

import io.millrace.piece.HttpAnswer;

/** Whoever waits for one run, and the answer that it is to be given. Only the first answer counts (contract 13.1). */
final class PendingResponse {
    private final String runId;
    private final StartListener waiter;
    private boolean answered;
    private HttpAnswer pending;

    PendingResponse(String runId, StartListener waiter) {
        this.runId = runId;
        this.waiter = waiter;
    }

    boolean wantsAcceptance() {
        return waiter.wantsAcceptance();
    }

    boolean wantsAnswer() {
        return waiter.wantsAnswer();
    }

    /** Takes an answer; it is given as soon as what led to it is durable. */
    void answer(HttpAnswer answer) {
        if (!answered) {
            answered = true;
            pending = answer;
        }
    }

    /** Whether somebody waits for an answer that is there. */
    boolean isToBeAnswered() {
        return pending != null && waiter.wantsAnswer();
    }

    void accepted() {
        waiter.accepted(runId);
    }

    /** Everything so far is durable. */
    void deliver() {
        if (pending != null) {
            waiter.answered(runId, pending);
            pending = null;
        }
    }

    void ended(RunStatus status) {
        accepted();
        deliver();
        waiter.ended(runId, status);
    }

    /** The run could not be saved; null when another node has it. */
    void lost(Throwable cause) {
        waiter.lost(runId, cause);
    }

    /**
     * Who waits on, when another actor has taken the run over. The run is in the table, so it has been accepted.
     *
     * @param saved whether what led to an answer is durable; one that may not be is given by nobody
     */
    StartListener takenOver(boolean saved) {
        accepted();
        if (saved) {
            deliver();
        } else if (pending != null) {
            lost(null);
        }
        return handedOn();
    }

    /** Who waits on, when the run goes on as another actor. */
    StartListener handedOn() {
        return answered ? StartListener.nobody() : waiter;
    }
}
