package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.Nullable;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Requests to waitpoints, and notices of paused runs (contract flows-and-engine 12). {@link Resume} is answered by the
 * shard that owns the run's id, {@link SoFar} by a module above the engine, {@link LookAtStep} by the service of runs,
 * the rest by the service of waitpoints.
 */
public sealed interface Waitpoints {
    /**
     * Completes a waitpoint. A recorded completion is durable, and its run resumes even if this process crashes.
     *
     * @param payload {@code {body, headers, queryParams}}
     * @param waiting whether the caller waits for the run's answer
     */
    record Resume(String runId, Target target, ObjectNode payload, boolean waiting)
            implements Waitpoints, BusRequest<ResumeResult> {}

    sealed interface Target {
        record OfWaitpoint(String waitpointId) implements Target {}

        /** The current V0 waitpoint of the run, once for each id; an id that was not issued for the run is unknown. */
        record OfRequest(String requestId) implements Target {}
    }

    /** A call for an unknown run fails with ENTITY_NOT_FOUND. */
    sealed interface ResumeResult {
        record Recorded() implements ResumeResult {}

        record Answered(Runs.StartResult outcome) implements ResumeResult {}

        /** The waitpoint was completed before, or does not belong to this run. */
        record Stale(RunStatus runStatus) implements ResumeResult {}

        /** The run has not reached its waitpoint yet: the caller may retry. */
        record NotYet(RunStatus runStatus) implements ResumeResult {}

        record Over(RunStatus runStatus) implements ResumeResult {}
    }

    /** Reads a waitpoint without completing it; fails with ENTITY_NOT_FOUND for an unknown run. */
    record Look(String runId, Target target) implements Waitpoints, BusRequest<WaitpointView> {}

    /**
     * The run of a waitpoint.
     *
     * @param flowName display name of the flow, or null
     * @param question prompt of the waiting step; empty when unknown
     */
    record WaitpointView(
            String projectId,
            String flowId,
            String flowVersionId,
            String flowName,
            Stage stage,
            Optional<Prompt> question) {}

    /**
     * Prompt of a waiting step.
     *
     * @param input input in the log: without secrets, long values truncated
     */
    record Prompt(String stepName, JsonNode input) {}

    /**
     * Steps at which runs wait for a call, each once.
     *
     * @param runId the only run; empty for all of the project
     */
    record FindWaitingSteps(String projectId, Optional<String> runId)
            implements Waitpoints, BusRequest<List<WaitingStep>> {}

    record WaitingStep(String flowVersionId, String stepName) {}

    /**
     * A page of runs that wait for a call at one of some steps, the latest wait first.
     *
     * @param runId the only run; empty for all of the project
     * @param deciderId user who can decide on the runs of the page: a run whose waitpoint has an approval of other approvers is
     *     left out; empty for all runs
     */
    record FindWaiting(
            String projectId,
            Optional<String> runId,
            List<WaitingStep> steps,
            Optional<String> deciderId,
            PageRequest page)
            implements Waitpoints, BusRequest<Page<WaitingRun>> {}

    /** Counts the runs of {@link FindWaiting} that a user can decide on, up to a limit. */
    record CountWaiting(String projectId, List<WaitingStep> steps, String deciderId, int limit)
            implements Waitpoints, BusRequest<Integer> {}

    /**
     * A paused run and the step that waits for a call.
     *
     * @param since start of the wait
     * @param end deadline of the wait; empty for none
     */
    record WaitingRun(
            String runId,
            String flowId,
            String flowVersionId,
            @Nullable String flowName,
            String waitpointId,
            String stepName,
            Instant since,
            Optional<Instant> end) {}

    /**
     * Sets the deadline of a wait for a call that has none yet: the step fails when the call has not arrived by then. A
     * completed waitpoint does not change.
     */
    record WaitUntil(String runId, String waitpointId, Instant end) implements Waitpoints, BusRequest<Nothing> {}

    /**
     * Intermediate output of the work on which a waiting step depends; empty when no module knows it. Answered by the
     * module that performs the work.
     */
    record SoFar(String waitpointId) implements Waitpoints, BusRequest<Optional<JsonNode>> {}

    /** The work for the waiting step of a run has progressed; {@link LookAtStep} reads the progress. */
    record CameFurther(String runId) implements Waitpoints, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(Runs.progressTopicOf(runId));
        }
    }

    /**
     * Reads the waiting step of a run with its intermediate output; empty when the run is not waiting, or without
     * intermediate output.
     */
    record LookAtStep(String runId) implements Waitpoints, BusRequest<Optional<StepSoFar>> {}

    record StepSoFar(Run run, StepProgress step) {}

    enum Stage {
        NOT_YET,
        PENDING,
        OVER
    }

    record RunResumed(String runId, String projectId, String flowId) implements Waitpoints, Notice {}

    record DelayAdded(Instant resumeAt) implements Waitpoints, Notice {}

    static String addressOf(RunShards shards, String runId) {
        return address(shards.shardOf(runId));
    }

    static String address(int shard) {
        return "run.resume." + shard;
    }
}
