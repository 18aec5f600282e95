package io.millrace.engine.run;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Promise;

/**
 * Listener for one event of a run's start: durable acceptance, or the answer of the run. Called once; later events are
 * ignored.
 */
public sealed interface StartListener {
    default boolean wantsAcceptance() {
        return false;
    }

    default boolean wantsAnswer() {
        return false;
    }

    default void accepted(String runId) {}

    default void answered(String runId, HttpAnswer answer) {}

    default void ended(String runId, RunStatus status) {}

    /**
     * This shard no longer executes the run and will not report its end.
     *
     * @param cause reason why the run could not be saved; null when the run is saved, or when another node owns it
     */
    default void lost(String runId, Throwable cause) {}

    default StartListener and(StartListener other) {
        return this instanceof Nobody || equals(other) ? other : other instanceof Nobody ? this : new Both(this, other);
    }

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

    record Nobody() implements StartListener {}

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

    record ForAnswer(Promise<Runs.StartResult> promise) implements StartListener {
        @Override
        public boolean wantsAnswer() {
            return true;
        }

        @Override
        public void answered(String runId, HttpAnswer answer) {
            promise.tryComplete(new Runs.StartResult.Answered(runId, answer));
        }

        @Override
        public void ended(String runId, RunStatus status) {
            promise.tryComplete(Runs.StartResult.ended(runId, status));
        }

        @Override
        public void lost(String runId, Throwable cause) {
            promise.tryFail(failureOf(runId, cause));
        }
    }

    /**
     * A caller at another node waits for the run's answer, or for its end without one; the owner of the run knows the
     * caller's node.
     */
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
     * Placeholder for a caller whose notice may arrive at this node only after its run has resumed here, or has
     * answered. Not thread-safe: confined to the shard's event loop.
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

        public boolean isOverdue() {
            return answer != null || ended != null;
        }

        /** The notice of the caller has arrived: passes the missed event, or the next one, to the listener. */
        public void joinedBy(String runId, StartListener late) {
            caller = late;
            if (answer != null) {
                late.answered(runId, answer);
            } else if (ended != null) {
                late.ended(runId, ended);
            }
        }
    }

    /** Maps a failure: refused only when the run is known not to exist. */
    private static ApiException failureOf(String runId, Throwable cause) {
        return cause instanceof ApiException && !ApiException.isOutcomeUnknown(cause)
                ? ApiException.of(ErrorCode.UNAVAILABLE, "run " + runId + " could not be saved")
                : ApiException.of(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "run " + runId + " may have been accepted; its response cannot be delivered to this caller");
    }
}
