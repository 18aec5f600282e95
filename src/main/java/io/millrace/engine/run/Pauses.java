package io.millrace.engine.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.piece.Waitpoint;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests to the store of waitpoints and paused runs. */
public sealed interface Pauses {
    /**
     * Creates a waitpoint, or finds the one created by an earlier execution of the step; answers its id.
     *
     * @param path place of the step
     * @param previous waitpoint whose completion the step is executed with; empty when it begins
     */
    record Create(
            String runId,
            long fence,
            String projectId,
            String stepName,
            String path,
            String previous,
            Waitpoint.Request wanted)
            implements Pauses, BusRequest<String> {}

    /**
     * Pauses a run: its results, its log and its status in one commit. A waitpoint that has been completed before
     * resumes it in the same commit.
     *
     * @param startTime start of the run: its row may still say QUEUED
     */
    record Pause(
            String runId,
            long fence,
            LiveStatus status,
            Instant startTime,
            WaitPlace place,
            int stepsCount,
            List<String> tags,
            PauseRecord record)
            implements Pauses, BusRequest<PauseResult> {
        /**
         * Waitpoint of the run.
         *
         * @param path place of the step that waits
         */
        public record WaitPlace(String waitpointId, String path) {}

        /**
         * Values that are written with the pause.
         *
         * @param answer answer of the run to its caller, kept for repeated starts; or null
         */
        public record PauseRecord(List<RunWrite.StepResult> results, Buffer log, Buffer answer) {}
    }

    /**
     * Result of a pause.
     *
     * @param held false when another node owns the run: nothing was written
     * @param next the run when it continues at once, or null
     */
    record PauseResult(boolean held, OwnedRun next) {}

    /** Completes a waitpoint; fails with ENTITY_NOT_FOUND for an unknown run. */
    record Complete(String runId, Waitpoints.Target target, ObjectNode payload)
            implements Pauses, BusRequest<Completion> {
        /** Identifies the completion in retries after a failure. */
        public String key() {
            return target instanceof Waitpoints.Target.OfWaitpoint(var waitpointId) ? waitpointId : runId;
        }
    }

    sealed interface Completion {
        /** The run was paused at the waitpoint; this node owns it now. */
        record Resumption(OwnedRun run, Waitpoints.RunResumed notice) implements Completion {}

        /** The run has not paused yet; it resumes as soon as it does. */
        record Deferral() implements Completion {}

        record Stale(RunStatus runStatus) implements Completion {}

        record NotYet(RunStatus runStatus) implements Completion {}

        record Over(RunStatus runStatus) implements Completion {}
    }

    /** Completes waitpoints that are due, and queues their runs. */
    record CompleteDue(int limit) implements Pauses, BusRequest<DueResult> {}

    /**
     * Result of {@link CompleteDue}.
     *
     * @param found number of due waitpoints
     * @param next time of the next one
     */
    record DueResult(int found, Optional<Instant> next) {}

    /**
     * Ends pauses that exceeded their limit without a completion: the waiting steps resume and fail (contract
     * flows-and-engine 12.2, admin-api AP_PAUSED_FLOW_TIMEOUT_DAYS).
     *
     * @param pauseMax longest pause, counted from the start of the run
     */
    record Expire(Duration pauseMax, int limit) implements Pauses, BusRequest<Nothing> {}

    /** A run has failed: its waiting parent resumes with the failure. */
    record FailParent(RunWrite.RunHeader child, RunStatus status) implements Pauses, BusRequest<Nothing> {}

    /** Repeats a lost {@link FailParent}. */
    record FailParents(int limit) implements Pauses, BusRequest<Nothing> {}
}
