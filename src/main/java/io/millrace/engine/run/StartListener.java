package io.millrace.engine.run;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Promise;

/**
 * Whoever started a run, and what it is told: that the run is durably accepted, or how it answered. Told once; what
 * comes later finds nobody.
 */
public sealed interface StartListener {
    /** Whether being accepted is all that is waited for. */
    default boolean wantsAcceptance() {
        return false;
    }

    /** Whether the run's answer is waited for. */
    default boolean wantsAnswer() {
        return false;
    }

    default void accepted(String runId) {}

    default void answered(String runId, HttpAnswer answer) {}

    default void ended(String runId, RunStatus status) {}

    /**
     * The run is not carried on here, and nobody learns of its end.
     *
     * @param cause why the run could not be saved; null when the run is saved, or when another node has it
     */
    default void lost(String runId, Throwable cause) {}

    /** A listener that passes each event on to this one and another one. */
    default StartListener and(StartListener other) {
        return this instanceof Nobody || equals(other) ? other : other instanceof Nobody ? this : new Both(this, other);
    }

    /** Two callers of one run. */
    record Both(StartListener first, StartListener second) implements StartListener {
        @Override
        public boolean wantsAcceptance() {
            return first.wantsAcceptance() || second.wantsAcceptance();
        }

        @Override
        public boolean wantsAnswer() {
            return first.wantsAnswer() || second.wantsAnswer();
        }

        @Override
        public void accepted(String runId) {
            first.accepted(runId);
            second.accepted(runId);
        }

        @Override
        public void answered(String runId, HttpAnswer answer) {
            first.answered(runId, answer);
            second.answered(runId, answer);
        }

        @Override
        public void ended(String runId, RunStatus status) {
            first.ended(runId, status);
            second.ended(runId, status);
        }

        @Override
        public void lost(String runId, Throwable cause) {
            first.lost(runId, cause);
            second.lost(runId, cause);
        }
    }

    static StartListener nobody() {
        return new Nobody();
    }

    /** Nobody waits. */
    record Nobody() implements StartListener {}

    /** Waits for the run to be durable. */
    record ForAcceptance(Promise<String> promise) implements StartListener {
        @Override
        public boolean wantsAcceptance() {
            return true;
        }

        @Override
        public void accepted(String runId) {
            promise.tryComplete(runId);
        }

        @Override
        public void lost(String runId, Throwable cause) {
            promise.tryFail(failureOf(runId, cause));
        }
    }

    /** Waits for the run's answer, or for its end without one. */
    record ForAnswer(Promise<Runs.Started> promise) implements StartListener {
        @Override
        public boolean wantsAnswer() {
            return true;
        }

        @Override
        public void answered(String runId, HttpAnswer answer) {
            promise.tryComplete(new Runs.Started.Answered(runId, answer));
        }

        @Override
        public void ended(String runId, RunStatus status) {
            promise.tryComplete(Runs.Started.ended(runId, status));
        }

        @Override
        public void lost(String runId, Throwable cause) {
            promise.tryFail(failureOf(runId, cause));
        }
    }

    /** A caller at another node waits for the run's answer, or for its end without one; whoever has the run knows of it too. */
    record ForOtherNode(Bus bus, String nodeId) implements StartListener {
        @Override
        public boolean wantsAnswer() {
            return true;
        }

        @Override
        public void answered(String runId, HttpAnswer answer) {
            bus.publish(new Runs.AnsweredElsewhere(nodeId, runId, answer, null));
        }

        @Override
        public void ended(String runId, RunStatus status) {
            bus.publish(new Runs.AnsweredElsewhere(nodeId, runId, null, status));
        }
    }

    /**
     * Stands for a caller of whom this node may hear only when his run has gone on here, or has answered already. Not thread
     * safe: lives on the shard's event loop.
     */
    final class ForLateCaller implements StartListener {
        private StartListener caller = nobody();
        private HttpAnswer answer;
        private RunStatus ended;

        @Override
        public boolean wantsAnswer() {
            return caller.wantsAnswer();
        }

        @Override
        public void answered(String runId, HttpAnswer given) {
            answer = given;
            caller.answered(runId, given);
        }

        @Override
        public void ended(String runId, RunStatus status) {
            ended = status;
            caller.ended(runId, status);
        }

        /** Whether there is something that only nobody has been told. */
        public boolean isOverdue() {
            return answer != null || ended != null;
        }

        /** The caller has been heard of: he is told what he has missed, or what comes. */
        public void joinedBy(String runId, StartListener late) {
            caller = late;
            if (answer != null) {
                late.answered(runId, answer);
            } else if (ended != null) {
                late.ended(runId, ended);
            }
        }
    }

    /** Refused only where the run is known not to exist. */
    private static ApiException failureOf(String runId, Throwable cause) {
        return cause instanceof ApiException && !ApiException.isOutcomeUnknown(cause)
                ? ApiException.of(ErrorCode.UNAVAILABLE, "run " + runId + " could not be saved")
                : ApiException.of(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "run " + runId + " may have been accepted; its answer cannot be delivered to this caller");
    }
}
