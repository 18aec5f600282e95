package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.engine.run.shard.RunVerticle;
import io.millrace.engine.run.store.RunService;
import io.millrace.engine.run.waitpoint.WaitpointService;
import java.time.Instant;
import java.util.Optional;

/**
 * What one may ask of waitpoints, and what paused runs announce (contract flows-and-engine 12). {@link Resume} is
 * answered by the shard that owns the run's id ({@link RunVerticle}), {@link SoFar} from above, {@link LookAtStep} by {@link RunService},
 * the rest by {@link WaitpointService}.
 */
public sealed interface Waitpoints {
    /**
     * Completes a waitpoint. What was recorded is durable, and its run goes on, whatever happens to this process.
     *
     * @param payload {@code {body, headers, queryParams}}
     * @param waiting whether the caller waits for the run's answer
     */
    record Resume(String runId, Target target, ObjectNode payload, boolean waiting)
            implements Waitpoints, BusRequest<Resumed> {}

    /** What an address names. */
    sealed interface Target {
        /** One waitpoint. */
        record OfWaitpoint(String waitpointId) implements Target {}

        /** Whatever V0 waitpoint the run is at, once for each id; an id that was not issued for the run is unknown. */
        record OfRequest(String requestId) implements Target {}
    }

    /** What became of a call that wants to resume a run; one of an unknown run fails with ENTITY_NOT_FOUND. */
    sealed interface Resumed {
        /** The payload is recorded, and the run goes on with it. */
        record Recorded() implements Resumed {}

        /** The run went on, and this is what its caller is told. */
        record Answered(Runs.Started outcome) implements Resumed {}

        /** The waitpoint was completed before, or is none of this run. */
        record Stale(RunStatus runStatus) implements Resumed {}

        /** The run has not come to where it waits: the same call is good later. */
        record NotYet(RunStatus runStatus) implements Resumed {}

        /** The run has ended. */
        record Over(RunStatus runStatus) implements Resumed {}
    }

    /** Where a waitpoint is, without touching it; fails with ENTITY_NOT_FOUND for an unknown run. */
    record Look(String runId, Target target) implements Waitpoints, BusRequest<WaitpointView> {}

    /**
     * The run of a waitpoint.
     *
     * @param flowName what its author calls the flow, or null
     * @param question what the step asks that waits; empty when it is not known
     */
    record WaitpointView(
            String projectId,
            String flowId,
            String flowVersionId,
            String flowName,
            Stage stage,
            Optional<Prompt> question) {}

    /**
     * What a step asks.
     *
     * @param input as it stands in the log: without secrets, and cut where it is long
     */
    record Prompt(String stepName, JsonNode input) {}

    /**
     * Sets an end to waiting for a call that has none yet: the step fails when the call has not come by then. A waitpoint that
     * has been completed stays so.
     */
    record WaitUntil(String runId, String waitpointId, Instant end) implements Waitpoints, BusRequest<Nothing> {}

    /**
     * What somebody who works for a step that waits has done so far, as the step would put it out; empty when nobody tells.
     * Answered by whoever works for steps.
     */
    record SoFar(String waitpointId) implements Waitpoints, BusRequest<Optional<JsonNode>> {}

    /** Whoever works for the step at which a run waits has come further; {@link LookAtStep} tells how far. */
    record CameFurther(String runId) implements Waitpoints, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(Runs.progressTopicOf(runId));
        }
    }

    /** The step at which a run waits, with what is done for it so far; empty when it waits at none, or nobody tells. */
    record LookAtStep(String runId) implements Waitpoints, BusRequest<Optional<StepSoFar>> {}

    /** A step that waits, and the run as it stood then. */
    record StepSoFar(Run run, StepProgress step) {}

    /** How far a waitpoint is. */
    enum Stage {
        NOT_YET,
        PENDING,
        OVER
    }

    /** A paused run goes on. */
    record RunResumed(String runId, String projectId, String flowId) implements Waitpoints, Notice {}

    /** There is a new moment to wait for. */
    record DelayAdded(Instant resumeAt) implements Waitpoints, Notice {}

    /** Bus address of the shard that resumes a run. */
    static String addressOf(RunShards shards, String runId) {
        return address(shards.shardOf(runId));
    }

    /** Bus address of a shard for {@link Resume}. */
    static String address(int shard) {
        return "run.resume." + shard;
    }
}
