package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Notice;
import io.millrace.bus.Request;
import io.millrace.core.Ids;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;
import io.millrace.piece.HttpAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one may ask of runs, and what runs announce. {@link Start} is answered by the shard that owns the run's id
 * ({@link RunVerticle}); the rest by {@link RunService}.
 */
public sealed interface Runs {
    /**
     * Starts one run for each item that the flow's trigger makes of the payload, or the first one for a caller that
     * waits.
     *
     * @param runId id of the first run; {@link RunShards} says who serves it
     * @param versionUpdated time of the version's last change: a draft may have changed since it was compiled
     * @param waiting whether the caller waits for the run's answer
     * @param parentRunId run that calls this one, or null
     */
    record Start(
            String runId,
            String projectId,
            String flowId,
            String flowVersionId,
            Instant versionUpdated,
            Environment environment,
            JsonNode payload,
            boolean waiting,
            String parentRunId,
            boolean failParentOnFailure)
            implements Runs, Request<Started> {}

    /** What became of a start. */
    sealed interface Started {
        /** Durably accepted: the runs will end, whatever happens to this process. */
        record Accepted(List<String> runIds) implements Started {}

        /** The run answered its caller; everything up to the answer is durable. */
        record Answered(String runId, HttpAnswer answer) implements Started {}

        /** The run ended in a failure status without an answer. */
        record Failed(String runId, RunStatus status) implements Started {}

        /** The run ended well and never answered. */
        record Silent(String runId) implements Started {}

        /** The trigger made no item of the payload, so no run began. */
        record NoItem() implements Started {}
    }

    /** One run with its steps: those recorded so far while it lives. */
    record Get(String runId) implements Runs, Request<ObjectNode> {}

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String runId) implements Runs, Request<String> {}

    /** A page of the PRODUCTION runs of a project, newest first (contract flows-and-engine 5.4). */
    record Find(Filter filter, PageRequest page) implements Runs, Request<Page<Run>> {}

    /**
     * Which runs of a project are wanted. An empty list means "any".
     *
     * @param tags the run has all of them
     * @param createdAfter inclusive
     * @param createdBefore inclusive
     */
    record Filter(
            String projectId,
            List<String> flowIds,
            List<RunStatus> statuses,
            List<String> tags,
            List<String> runIds,
            Optional<Instant> createdAfter,
            Optional<Instant> createdBefore,
            Optional<String> failedStepName,
            Optional<String> failedStepMessage) {}

    /** A run ended. */
    record Ended(String runId, String projectId, String flowId, RunStatus status) implements Runs, Notice {}

    /** A fresh run id. */
    static String nextId() {
        return Ids.next();
    }
}
