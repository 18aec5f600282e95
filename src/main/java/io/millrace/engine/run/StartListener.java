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

    /** The run could not be saved; null when another node has it. */
    default void lost(String runId, Throwable cause) {}

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
            promise.tryFail(unavailable(runId));
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
            promise.tryFail(unavailable(runId));
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

    private static ApiException unavailable(String runId) {
        return ApiException.of(ErrorCode.UNAVAILABLE, "run " + runId + " could not be saved");
    }
}
