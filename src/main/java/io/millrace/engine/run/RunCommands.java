package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.log.LoggedTrigger;
import java.time.Instant;
import java.util.List;

/**
 * Requests of users, flows and the server that start, rehearse, retry, cancel and archive runs. The shard that owns the id of
 * the new run answers {@link Launch}.
 */
public sealed interface RunCommands {
    /**
     * Starts one run whose trigger output is known, or whose trigger has to be executed first: then its first item is
     * the output. Answered with the run's id as soon as the run is durable, by the shard that owns the id.
     *
     * @param idempotencyKey key under which it is started, or null; a repeated start answers the id of the first run
     */
    record Launch(
            String runId,
            String projectId,
            String flowId,
            Flows.VersionRef version,
            LaunchMode mode,
            JsonNode payload,
            LaunchOrigin origin,
            String idempotencyKey)
            implements RunCommands, BusRequest<String> {
        /**
         * Extent of the execution.
         *
         * @param executeTrigger whether the trigger must still process the payload
         * @param stepToTest the only step that is executed, or null for the whole flow
         */
        public record LaunchMode(RunEnvironment environment, boolean executeTrigger, String stepToTest) {}

        /**
         * Run or user that starts it.
         *
         * @param triggeredBy user who starts it by hand, or null
         */
        public record LaunchOrigin(String parentRunId, boolean failParentOnFailure, String triggeredBy) {}

        public RunWrite.RunHeader header(Instant now, String flowName) {
            return new RunWrite.RunHeader(
                    runId,
                    now,
                    projectId,
                    new RunWrite.RunHeader.FlowOfRun(flowId, version.id()),
                    mode.environment(),
                    now,
                    new RunWrite.RunHeader.RunOrigin(
                            origin.parentRunId(), origin.failParentOnFailure(), null, origin.triggeredBy(), null),
                    flowName);
        }

        /** Request for a new run that replaces an earlier one. */
        public static Launch again(String runId, Run run, Flows.VersionRef version, LoggedTrigger trigger) {
            return new Launch(
                    runId,
                    run.projectId(),
                    run.flowId(),
                    version,
                    new LaunchMode(run.environment(), trigger.executeTrigger(), null),
                    trigger.output(),
                    new LaunchOrigin(run.parentRunId(), run.failParentOnFailure(), run.triggeredBy()),
                    null);
        }
    }

    /** Starts a run of the published version of an enabled flow. */
    record StartFlow(String projectId, String flowId, JsonNode payload, String triggeredBy, String idempotencyKey)
            implements RunCommands, BusRequest<Run> {
        public StartFlow(String projectId, String flowId, JsonNode payload, String triggeredBy) {
            this(projectId, flowId, payload, triggeredBy, null);
        }
    }

    /**
     * Starts a PRODUCTION run of a version of the project by hand (5.8).
     *
     * @param payload output of the trigger, which is not executed
     */
    record StartVersion(
            String projectId, String flowVersionId, JsonNode payload, String triggeredBy, String idempotencyKey)
            implements RunCommands, BusRequest<Run> {
        public StartVersion(String projectId, String flowVersionId, JsonNode payload, String triggeredBy) {
            this(projectId, flowVersionId, payload, triggeredBy, null);
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
            implements RunCommands, BusRequest<Run> {
        public TestFlow(String projectId, String flowVersionId, String triggeredBy) {
            this(projectId, flowVersionId, triggeredBy, null);
        }
    }

    /** Tests one step of a version with the samples of the others, and stores the result as its sample (6.7). */
    record TestStep(String projectId, String flowVersionId, String stepName, String triggeredBy, String idempotencyKey)
            implements RunCommands, BusRequest<Run> {
        public TestStep(String projectId, String flowVersionId, String stepName, String triggeredBy) {
            this(projectId, flowVersionId, stepName, triggeredBy, null);
        }
    }

    /**
     * Evaluates the published version of a flow for an event, and lists the calls that a run would make. Nothing is
     * executed or stored.
     */
    record Rehearse(String projectId, String flowId, JsonNode payload) implements RunCommands, BusRequest<ObjectNode> {}

    /**
     * As {@link Rehearse}, for a request that the webhook of a flow receives. Fails with VALIDATION for a trigger that is not the
     * webhook of the server: its output is the result of code.
     *
     * @param isDraft true for the latest version, whether the flow is enabled or not
     * @param event {@code {method, headers, queryParams, body, rawBody?}}
     */
    record RehearseWebhook(String projectId, String flowId, boolean isDraft, ObjectNode event)
            implements RunCommands, BusRequest<ObjectNode> {}

    /**
     * Compares a version of a flow with its newest ended PRODUCTION runs, and groups them by the first difference. Nothing
     * is executed. Fails with TOO_MANY_REQUESTS beyond AP_REDECISIONS_MAX.
     *
     * @param version {@code draft}, {@code published}, or the id of a version of the flow
     * @param sample number of runs; AP_REDECISION_RUNS_MAX if that is less
     */
    record Redecide(String flowId, String version, int sample) implements RunCommands, BusRequest<ObjectNode> {}

    /**
     * Retries a run of the project (contract flows-and-engine 5.6); returns the run as it is now, or the new one.
     *
     * @param retriedBy user who requests it, or null for the server
     */
    record Retry(String projectId, String runId, RetryStrategy strategy, String retriedBy)
            implements RunCommands, BusRequest<Run> {}

    /**
     * Retries the matching runs, newest first, up to the size of a page.
     *
     * @param retriedBy user who requests it, or null
     */
    record RetryAll(RunQueries.Filter filter, RetryStrategy strategy, String retriedBy)
            implements RunCommands, BusRequest<List<RetryOutcome>> {}

    /**
     * Result of one retry among many.
     *
     * @param refusal reason for a refused retry; null after success
     */
    record RetryOutcome(Run run, ApiException refusal) {}

    /** Cancels the matching live runs and their descendants; answered when all have ended. */
    record Cancel(RunQueries.Filter filter) implements RunCommands, BusRequest<Nothing> {}

    record Archive(RunQueries.Filter filter) implements RunCommands, BusRequest<Nothing> {}
}
