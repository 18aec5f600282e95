package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.Ids;
import io.millrace.piece.HttpAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Starts by events and notices of runs. The shard that owns the run's id answers {@link Start}. {@link RunCommands} and
 * {@link RunQueries} have the requests of users. Notices stay in this interface: their names are part of the protocol
 * between nodes.
 */
public sealed interface Runs {
    /**
     * Starts one run for each item that the flow's trigger makes of the payload, or the first one for a caller that
     * waits.
     *
     * @param runId id of the first run; {@link RunShards} maps it to a shard
     * @param waiting whether the caller waits for the run's answer
     */
    record Start(
            String runId,
            String projectId,
            FlowRef flow,
            RunEnvironment environment,
            JsonNode payload,
            boolean waiting,
            ParentRun parent,
            CallOrigin call)
            implements Runs, BusRequest<StartResult> {
        /**
         * Version to execute.
         *
         * @param versionUpdated time of the version's last change: a draft may have changed since it was compiled
         */
        public record FlowRef(String id, String versionId, Instant versionUpdated) {}

        /**
         * Run that waits for this one.
         *
         * @param runId run that calls this one, or null
         * @param waitpoint where that run waits, as in {@link RunWrite.RunHeader.RunOrigin}, or null
         */
        public record ParentRun(String runId, boolean failsOnFailure, String waitpoint) {
            /** Origin of a run that no other run calls. */
            public static ParentRun none(boolean failsOnFailure) {
                return new ParentRun(null, failsOnFailure, null);
            }
        }

        /**
         * Marks of the call that starts the run.
         *
         * @param idempotencyKey key under which the caller starts, made by {@link IdempotencyKey}, or null
         * @param id correlation id of the caller, or null
         * @param traceparent header that names the parent span of the runs, or null
         */
        public record CallOrigin(String idempotencyKey, String id, String traceparent) {}

        public RunWrite.RunHeader header(String id, Instant now, String flowName) {
            return new RunWrite.RunHeader(
                    id,
                    now,
                    projectId,
                    new RunWrite.RunHeader.FlowOfRun(flow.id(), flow.versionId()),
                    environment,
                    now,
                    new RunWrite.RunHeader.RunOrigin(
                            parent.runId(), parent.failsOnFailure(), parent.waitpoint(), null, call.traceparent()),
                    flowName);
        }
    }

    sealed interface StartResult {
        /** Durably accepted: the runs will end, even if this process crashes. */
        record Accepted(List<String> runIds) implements StartResult {}

        /** The run answered its caller; everything up to the answer is durable. */
        record Answered(String runId, HttpAnswer answer) implements StartResult {}

        /** The run ended in a failure status without an answer. */
        record Failed(String runId, RunStatus status) implements StartResult {}

        /** The run succeeded without an answer. */
        record Silent(String runId) implements StartResult {}

        /**
         * The trigger made no item of the payload, so no run began.
         *
         * @param refused whether the trigger denied the caller access
         */
        record NoItem(boolean refused) implements StartResult {}

        /**
         * An earlier start had the same key: no run began.
         *
         * @param callId correlation id of the first caller, or null
         * @param first result of the first start
         */
        record Repeated(String callId, StartResult first) implements StartResult {}

        static StartResult ended(String runId, RunStatus status) {
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

    static String topicOf(String projectId) {
        return "runs of " + projectId;
    }

    /** Runs without an owner have been saved, and wait to begin. */
    record TakenIn() implements Runs, ClusterNotice {}

    /** This node accepts requests. Runs that may end the process are taken up only after this notice. */
    record IntakeOpened() implements Runs, Notice {}

    /** This node has capacity for more orphaned runs. */
    record TakeoversWanted() implements Runs, Notice {}

    /** An ended run was reopened. */
    record Retried(String runId, String projectId, String flowId) implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }
    }

    /**
     * Progress of a watched run (contract flows-and-engine 31, UPDATE_RUN_PROGRESS).
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

    record Ended(String runId, String projectId, String flowId, RunStatus status) implements Runs, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }

        public static Ended of(RunWrite.RunHeader run, RunStatus status) {
            return new Ended(run.id(), run.projectId(), run.flow().flowId(), status);
        }
    }

    static String nextId(Instant now) {
        return Ids.nextAt(now);
    }
}
