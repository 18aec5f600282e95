package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.log.LoggedTrigger;
import io.millrace.engine.run.shard.RunVerticle;
import io.millrace.engine.run.store.RunService;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests to runs, and notices of runs. {@link Start} is answered by the shard that owns the run's id
 * ({@link RunVerticle}); the rest by {@link RunService}.
 */
public sealed interface Runs {
    /**
     * Starts one run for each item that the flow's trigger makes of the payload, or the first one for a caller that
     * waits.
     *
     * @param runId id of the first run; {@link RunShards} maps it to a shard
     * @param versionUpdated time of the version's last change: a draft may have changed since it was compiled
     * @param waiting whether the caller waits for the run's answer
     * @param parentRunId run that calls this one, or null
     * @param idempotencyKey key under which the caller starts, made by {@link IdempotencyKey}, or null
     * @param callId correlation id of the caller, or null
     * @param traceparent header that names the parent span of the runs, or null
     */
    record Start(
            String runId,
            String projectId,
            String flowId,
            String flowVersionId,
            Instant versionUpdated,
            RunEnvironment environment,
            JsonNode payload,
            boolean waiting,
            String parentRunId,
            boolean failParentOnFailure,
            String idempotencyKey,
            String callId,
            String traceparent)
            implements Runs, BusRequest<Started> {
        public RunWrite.RunHeader header(String id, Instant now, String flowName) {
            return new RunWrite.RunHeader(
                    id,
                    now,
                    projectId,
                    flowId,
                    flowVersionId,
                    environment,
                    now,
                    parentRunId,
                    failParentOnFailure,
                    null,
                    flowName,
                    traceparent);
        }
    }

    /** Result of a start. */
    sealed interface Started {
        /** Durably accepted: the runs will end, even if this process crashes. */
        record Accepted(List<String> runIds) implements Started {}

        /** The run answered its caller; everything up to the answer is durable. */
        record Answered(String runId, HttpAnswer answer) implements Started {}

        /** The run ended in a failure status without an answer. */
        record Failed(String runId, RunStatus status) implements Started {}

        /** The run succeeded without an answer. */
        record Silent(String runId) implements Started {}

        /**
         * The trigger made no item of the payload, so no run began.
         *
         * @param refused whether the trigger denied the caller access
         */
        record NoItem(boolean refused) implements Started {}

        /**
         * An earlier start had the same key: no run began.
         *
         * @param callId correlation id of the first caller, or null
         * @param first result of the first start
         */
        record Repeated(String callId, Started first) implements Started {}

        /** Result for the caller of a run that has ended without an answer. */
        static Started ended(String runId, RunStatus status) {
            return status == RunStatus.SUCCEEDED || status == RunStatus.CANCELED
                    ? new Silent(runId)
                    : new Failed(runId, status);
        }
    }

    /**
     * A caller at a node waits for the answer of a paused run, which may continue at another node.
     *
     * @param nodeId node of the caller
     */
    record CallerWaits(String runId, String nodeId) implements Runs, ClusterNotice {}

    /**
     * Answer of a run that executed at another node than its caller's.
     *
     * @param nodeId node of the caller
     * @param answer null when the run has ended without one
     * @param ended final status of the run; null when it has answered
     */
    record AnsweredElsewhere(String nodeId, String runId, HttpAnswer answer, RunStatus ended)
            implements Runs, ClusterNotice {}

    /** Topic of changes in a project's list of runs. */
    static String topicOf(String projectId) {
        return "runs of " + projectId;
    }

    /** One run with its steps, those recorded so far while it lives: as JSON text for the caller. */
    record Get(Principal by, String runId) implements Runs, BusRequest<Buffer> {}

    /** The compressed log of an ended run; empty without one. */
    record FindLog(String runId) implements Runs, BusRequest<Optional<Buffer>> {}

    /**
     * Steps of ended and paused runs by run id: of each run the last 1,000, without inputs and outputs. Runs without a log
     * are missing.
     */
    record FindSteps(List<String> runIds) implements Runs, BusRequest<Map<String, List<StepProgress>>> {
        public FindSteps {
            runIds = List.copyOf(runIds);
        }
    }

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String runId) implements Runs, BusRequest<String> {}

    /** A page of the PRODUCTION runs of a project, newest first (contract flows-and-engine 5.4). */
    record Find(Filter filter, PageRequest page) implements Runs, BusRequest<Page<Run>> {}

    /**
     * Filter of PRODUCTION runs of a project. An empty list means "any".
     *
     * @param tags tags that a run must all have
     * @param createdAfter inclusive
     * @param createdBefore inclusive, to the millisecond
     * @param failedStepMessage part of the message, case-insensitive
     * @param replayOf run that the runs replay
     */
    record Filter(
            String projectId,
            List<String> flowIds,
            List<RunStatus> statuses,
            List<String> tags,
            List<String> runIds,
            List<String> excludedRunIds,
            Optional<Instant> createdAfter,
            Optional<Instant> createdBefore,
            Optional<String> failedStepName,
            Optional<String> failedStepMessage,
            Optional<String> replayOf,
            boolean includeArchived) {
        /** Returns whether the filter matches only runs that failed at a step, and so have ended. */
        public boolean wantsFailedStep() {
            return failedStepName.isPresent() || failedStepMessage.isPresent();
        }
    }

    /**
     * Newest PRODUCTION runs of each of some flows of a project, newest first within a flow: a flow with many runs does not hide
     * those of the others. Archived runs are left out. Of runs that have not ended, only the newest of the project are considered.
     *
     * @param limit per flow
     */
    record FindLatest(String projectId, List<String> flowIds, int limit) implements Runs, BusRequest<List<Run>> {}

    /** Counts the matching runs by status; statuses without any are omitted. */
    record CountByStatus(Filter filter) implements Runs, BusRequest<Map<RunStatus, Integer>> {}

    /** Runs without an owner have been saved, and wait to begin. */
    record TakenIn() implements Runs, ClusterNotice {}

    /** This node accepts requests: runs that may end it begin later. */
    record IntakeOpened() implements Runs, Notice {}

    /** This node has capacity for more orphaned runs. */
    record TakeoversWanted() implements Runs, Notice {}

    /**
     * Starts one run whose trigger output is known, or whose trigger has to be executed first: then its first item is
     * the output. Answered with the run's id as soon as the run is durable, by the shard that owns the id.
     *
     * @param executeTrigger whether the trigger must still process the payload
     * @param triggeredBy user who starts it by hand, or null
     * @param stepToTest the only step that is executed, or null for the whole flow
     * @param idempotencyKey key under which it is started, or null; a repeated start answers the id of the first run
     */
    record Launch(
            String runId,
            String projectId,
            String flowId,
            Flows.VersionRef version,
            RunEnvironment environment,
            JsonNode payload,
            boolean executeTrigger,
            String parentRunId,
            boolean failParentOnFailure,
            String triggeredBy,
            String stepToTest,
            String idempotencyKey)
            implements Runs, BusRequest<String> {
        public RunWrite.RunHeader header(Instant now, String flowName) {
            return new RunWrite.RunHeader(
                    runId,
                    now,
                    projectId,
                    flowId,
                    version.id(),
                    environment,
                    now,
                    parentRunId,
                    failParentOnFailure,
                    triggeredBy,
                    flowName,
                    null);
        }

        /** Request for a new run that replaces an earlier one. */
        public static Launch again(String runId, Run run, Flows.VersionRef version, LoggedTrigger trigger) {
            return new Launch(
                    runId,
                    run.projectId(),
                    run.flowId(),
                    version,
                    run.environment(),
                    trigger.output(),
                    trigger.failed(),
                    run.parentRunId(),
                    run.failParentOnFailure(),
                    run.triggeredBy(),
                    null,
                    null);
        }
    }

    /**
     * Tests a whole flow version of the project: a TESTING run that begins with the sample of its trigger, or with
     * nothing (contract flows-and-engine 5.9). Answers the run as soon as it is durable, as all starts by hand do.
     *
     * @param triggeredBy user who requests it, or null
     * @param idempotencyKey key under which it is started, or null; a repeated start answers the first run
     */
    record TestFlow(String projectId, String flowVersionId, String triggeredBy, String idempotencyKey)
            implements Runs, BusRequest<Run> {
        public TestFlow(String projectId, String flowVersionId, String triggeredBy) {
            this(projectId, flowVersionId, triggeredBy, null);
        }
    }

    /** Tests one step of a version with the samples of the others, and stores the result as its sample (6.7). */
    record TestStep(String projectId, String flowVersionId, String stepName, String triggeredBy, String idempotencyKey)
            implements Runs, BusRequest<Run> {
        public TestStep(String projectId, String flowVersionId, String stepName, String triggeredBy) {
            this(projectId, flowVersionId, stepName, triggeredBy, null);
        }
    }

    /**
     * Starts a PRODUCTION run of a version of the project by hand (5.8).
     *
     * @param payload output of the trigger, which is not executed
     */
    record StartVersion(
            String projectId, String flowVersionId, JsonNode payload, String triggeredBy, String idempotencyKey)
            implements Runs, BusRequest<Run> {
        public StartVersion(String projectId, String flowVersionId, JsonNode payload, String triggeredBy) {
            this(projectId, flowVersionId, payload, triggeredBy, null);
        }
    }

    /** Starts a run of the published version of an enabled flow. */
    record StartFlow(String projectId, String flowId, JsonNode payload, String triggeredBy, String idempotencyKey)
            implements Runs, BusRequest<Run> {
        public StartFlow(String projectId, String flowId, JsonNode payload, String triggeredBy) {
            this(projectId, flowId, payload, triggeredBy, null);
        }
    }

    /**
     * Evaluates the published version of a flow for an event, and lists the calls that a run would make. Nothing is
     * executed or stored.
     */
    record Rehearse(String projectId, String flowId, JsonNode payload) implements Runs, BusRequest<ObjectNode> {}

    /**
     * As {@link Rehearse}, for a request that the webhook of a flow receives. Fails with VALIDATION for a trigger that is not the
     * webhook of the server: its output is the result of code.
     *
     * @param isDraft true for the latest version, whether the flow is enabled or not
     * @param event {@code {method, headers, queryParams, body, rawBody?}}
     */
    record RehearseWebhook(String projectId, String flowId, boolean isDraft, ObjectNode event)
            implements Runs, BusRequest<ObjectNode> {}

    /**
     * Compares a version of a flow with its newest ended PRODUCTION runs, and groups them by the first difference. Nothing
     * is executed. Fails with TOO_MANY_REQUESTS beyond AP_REDECISIONS_MAX.
     *
     * @param version {@code draft}, {@code published}, or the id of a version of the flow
     * @param sample number of runs; AP_REDECISION_RUNS_MAX if that is less
     */
    record Redecide(String flowId, String version, int sample) implements Runs, BusRequest<ObjectNode> {}

    /**
     * Retries a run of the project (contract flows-and-engine 5.6); returns the run as it is now, or the new one.
     *
     * @param retriedBy user who requests it, or null for the server
     */
    record Retry(String projectId, String runId, RetryStrategy strategy, String retriedBy)
            implements Runs, BusRequest<Run> {}

    /**
     * Retries the matching runs, newest first, up to the size of a page.
     *
     * @param retriedBy user who requests it, or null
     */
    record RetryAll(Filter filter, RetryStrategy strategy, String retriedBy)
            implements Runs, BusRequest<List<RetryOutcome>> {}

    /** Attempts before a run, and retries of it that started other runs, oldest first. */
    record FindAttempts(String runId) implements Runs, BusRequest<List<RunAttempt>> {}

    /**
     * Result of one retry among many.
     *
     * @param refusal reason for a refused retry; null after success
     */
    record RetryOutcome(Run run, ApiException refusal) {}

    /** Cancels the matching live runs and their descendants; answered when all have ended. */
    record Cancel(Filter filter) implements Runs, BusRequest<Nothing> {}

    /** Archives the matching runs. */
    record Archive(Filter filter) implements Runs, BusRequest<Nothing> {}

    /** An ended run was reopened. */
    record Retried(String runId, String projectId, String flowId) implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }
    }

    /** Counts the live runs of all projects. */
    record Measure() implements Runs, BusRequest<RunGauges> {}

    /** Reads the current state of a run, without its steps; fails with ENTITY_NOT_FOUND. */
    record Look(String runId) implements Runs, BusRequest<Run> {}

    /**
     * Progress of a watched run (contract flows-and-engine 31, UPDATE_RUN_PROGRESS); published through
     * {@link RunProgressHub}.
     *
     * @param step the step that began or ended; empty when the run itself changed
     * @param again whether it is a repetition for a subscriber that joined late or reconnected
     */
    record Progressed(Run run, Optional<StepProgress> step, boolean again) implements Runs, Notice {}

    /**
     * The same, sent to nodes that watch the run and do not execute it.
     *
     * @param step null when the run itself changed
     * @param output output of the step as text: it may be nested deeper than messages between nodes
     */
    record ProgressedElsewhere(Run run, StepProgress.StepPosition step, String output, boolean again)
            implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(progressTopicOf(run.id()));
        }
    }

    /** Topic of the progress of a run. */
    static String progressTopicOf(String runId) {
        return "progress of " + runId;
    }

    /**
     * The test of a step has ended (contract flows-and-engine 5.9).
     *
     * @param result the step's record; empty when it has none
     * @param samples {@code {sampleDataFileId?, sampleDataInputFileId?}}
     */
    record StepTested(String projectId, String runId, ObjectNode result, ObjectNode samples)
            implements Runs, ClusterNotice {}

    /** The test of a step begins (contract flows-and-engine 5.9), or resumes after a pause. */
    record StepTestBegun(String projectId, String runId) implements Runs, ClusterNotice {}

    /** Asks the actor of a run to repeat the notices of its records after a given one. */
    record TellAgain(String runId, long after) implements Runs, ClusterNotice {}

    /** A run has begun that open editors show: the test of a flow, or a run that a user started by hand. */
    record Announced(String projectId, String runId) implements Runs, ClusterNotice {}

    /** The status of a live run has changed in lists. */
    record Shown(String runId, String projectId) implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }
    }

    /** A run ended. */
    record Ended(String runId, String projectId, String flowId, RunStatus status) implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }

        public static Ended of(RunWrite.RunHeader run, RunStatus status) {
            return new Ended(run.id(), run.projectId(), run.flowId(), status);
        }
    }

    /** Creates an id for a run created at that time. */
    static String nextId(Instant now) {
        return Ids.nextAt(now);
    }
}
