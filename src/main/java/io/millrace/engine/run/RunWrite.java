package io.millrace.engine.run;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.LiveStatus;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;

/**
 * One durable step of a run's life, written together with those of many other runs. Answered with whether the write
 * took effect: false means that another node owns the run now, and that the writer must stop.
 */
public sealed interface RunWrite extends BusRequest<Boolean> {
    /** Longest wait for one write; the writer itself retries for less. */
    long DEADLINE_MS = 60_000;

    record StepResult(String path, Buffer record) {}

    /**
     * Immutable facts of a run, known from its start.
     *
     * @param startTime null while it is queued for the first time
     */
    record RunHeader(
            String id,
            Instant created,
            String projectId,
            @Unprefixed FlowOfRun flow,
            RunEnvironment environment,
            @Nullable Instant startTime,
            @Unprefixed RunOrigin origin,
            @Nullable String flowName) {
        public record FlowOfRun(String flowId, String flowVersionId) {}

        /**
         * Caller of the run.
         *
         * @param parentWaitpoint waitpoint at which the parent awaits this run, or the verified request id of its resume
         *     address; null for a parent that does not wait
         * @param traceparent header that names the parent span of the run, or null
         */
        public record RunOrigin(
                @Nullable String parentRunId,
                boolean failParentOnFailure,
                @Nullable String parentWaitpoint,
                @Nullable String triggeredBy,
                @Nullable String traceparent) {}

        public Run seen(RunStatus status, Instant now, List<String> tags, int stepsCount) {
            return seen(status, now, null, tags, null, stepsCount);
        }

        public Run ended(Ending ending) {
            return seen(
                    RunStatus.of(ending.status()),
                    ending.finishTime(),
                    ending.finishTime(),
                    ending.tags(),
                    ending.failedStep(),
                    ending.stepsCount());
        }

        private Run seen(
                RunStatus status,
                Instant updated,
                Instant finishTime,
                List<String> tags,
                FailedStep failedStep,
                int stepsCount) {
            return new Run(
                    id,
                    created,
                    updated,
                    projectId,
                    flow.flowId(),
                    flow.flowVersionId(),
                    flowName,
                    environment,
                    status,
                    startTime,
                    finishTime,
                    origin.parentRunId(),
                    origin.failParentOnFailure(),
                    origin.triggeredBy(),
                    tags,
                    failedStep,
                    stepsCount,
                    null,
                    null,
                    null);
        }

        public RunHeader startedAt(Instant time) {
            return new RunHeader(id, created, projectId, flow, environment, time, origin, flowName);
        }
    }

    /**
     * Result of a run at its end.
     *
     * @param log null when it could not be made
     */
    record Ending(
            EndStatus status,
            Instant finishTime,
            FailedStep failedStep,
            List<String> tags,
            int stepsCount,
            Buffer log) {
        private long logBytes() {
            return log == null ? 0 : log.length();
        }
    }

    /** The run is accepted and continues: its first commit. */
    record Insert(
            RunHeader header,
            LiveStatus status,
            Buffer payload,
            String owner,
            List<String> tags,
            List<StepResult> results)
            implements RunWrite {
        @Override
        public String runId() {
            return header.id();
        }
    }

    /**
     * Further results of a live run.
     *
     * @param answer answer of the run to its caller, kept for repeated starts; or null
     */
    record Append(String runId, long fence, List<StepResult> results, Buffer answer) implements RunWrite {}

    /**
     * Status of a live run for readers: it is queued, or has begun after it was.
     *
     * @param startTime null while it has not begun
     */
    record Show(String runId, long fence, LiveStatus status, Instant startTime) implements RunWrite {}

    /** The run has ended and was never live in the database: its only commit. */
    record InsertEnded(RunHeader header, Ending ending) implements RunWrite {
        @Override
        public String runId() {
            return header.id();
        }
    }

    /**
     * A live run has ended.
     *
     * @param answer answer of the run to its caller, kept for repeated starts; or null
     */
    record End(RunHeader header, long fence, Ending ending, Buffer answer) implements RunWrite {
        @Override
        public String runId() {
            return header.id();
        }
    }

    String runId();

    /** Number of the ownership with which it is written; the first one is 0. */
    default long fence() {
        return 0;
    }

    /** Name of the write in fault tests. */
    default RunDurableWrite kind() {
        return switch (this) {
            case Insert _ -> RunDurableWrite.ACCEPTED;
            case Append _ -> RunDurableWrite.RESULT;
            case Show _ -> RunDurableWrite.STATUS;
            case InsertEnded _ -> RunDurableWrite.ENDED_AT_ONCE;
            case End _ -> RunDurableWrite.ENDED;
        };
    }

    /** Returns whether the write creates the run; after its failure the caller can still start the run again. */
    default boolean isStart() {
        return switch (this) {
            case Insert _, InsertEnded _ -> true;
            case Append _, Show _, End _ -> false;
        };
    }

    /** Approximate memory of the write, for the writer's limits. */
    default long bytes() {
        return switch (this) {
            case Insert insert -> insert.payload().length() + bytesOf(insert.results());
            case Append append -> bytesOf(append.results());
            case Show _ -> 0;
            case InsertEnded(var _, var ending) -> ending.logBytes();
            case End end -> end.ending().logBytes();
        };
    }

    private static long bytesOf(List<StepResult> results) {
        var bytes = 0L;
        for (var result : results) {
            bytes += result.record().length();
        }
        return bytes;
    }
}
