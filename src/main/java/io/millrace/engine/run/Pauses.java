package io.millrace.engine.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.run.waitpoint.WaitpointService;
import io.millrace.piece.Waitpoint;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the run module asks of its keeper of waitpoints and paused runs, {@link WaitpointService}. */
public sealed interface Pauses {
    /**
     * Makes a waitpoint, or finds the one that an earlier execution of the step made; answers its id.
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
            Waitpoint.Wanted wanted)
            implements Pauses, BusRequest<String> {}

    /**
     * Pauses a run: its results, its log and its status in one commit. A waitpoint that has been completed before
     * resumes it in the same commit.
     *
     * @param startTime when it began: its row may say yet that it waits in line
     * @param path place of the step that waits
     * @param answer what the run has answered its caller, to be kept for those who start the same again; or null
     */
    record Pause(
            String runId,
            long fence,
            LiveStatus status,
            Instant startTime,
            String waitpointId,
            String path,
            int stepsCount,
            List<String> tags,
            List<RunWrite.StepResult> results,
            Buffer log,
            Buffer answer)
            implements Pauses, BusRequest<Paused> {}

    /**
     * What became of a pause.
     *
     * @param held false when another node owns the run: nothing was written
     * @param next the run when it goes on at once, or null
     */
    record Paused(boolean held, OwnedRun next) {}

    /** Completes a waitpoint; fails with ENTITY_NOT_FOUND for an unknown run. */
    record Complete(String runId, Waitpoints.Target target, ObjectNode payload)
            implements Pauses, BusRequest<Completion> {
        /** By what it is known when it fails. */
        public String key() {
            return target instanceof Waitpoints.Target.OfWaitpoint(var waitpointId) ? waitpointId : runId;
        }
    }

    /** What became of a completion. */
    sealed interface Completion {
        /** The run was paused at the waitpoint; this node owns it now. */
        record Taken(OwnedRun run, Waitpoints.RunResumed notice) implements Completion {}

        /** The run has not paused yet; it will go on as soon as it does. */
        record Kept() implements Completion {}

        record Stale(RunStatus runStatus) implements Completion {}

        record NotYet(RunStatus runStatus) implements Completion {}

        record Over(RunStatus runStatus) implements Completion {}
    }

    /** Completes waitpoints whose moment has come, and lets their runs go on. */
    record CompleteDue(int limit) implements Pauses, BusRequest<Due> {}

    /**
     * What was due.
     *
     * @param found how many waitpoints
     * @param next the moment of the next one
     */
    record Due(int found, Optional<Instant> next) {}

    /**
     * Ends pauses that nobody has ended in time: the steps that wait go on to fail (contract flows-and-engine 12.2, admin-api
     * AP_PAUSED_FLOW_TIMEOUT_DAYS).
     *
     * @param pauseMax longest pause, counted from the start of the run
     */
    record Expire(Duration pauseMax, int limit) implements Pauses, BusRequest<Nothing> {}

    /** A run has ended badly: the parent that waits for it goes on with the failure. */
    record FailParent(RunWrite.RunHeader child, RunStatus status) implements Pauses, BusRequest<Nothing> {}

    /** Finds what a lost {@link FailParent} left behind. */
    record FailParents(int limit) implements Pauses, BusRequest<Nothing> {}
}
