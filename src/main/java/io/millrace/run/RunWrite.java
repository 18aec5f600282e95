package io.millrace.run;

import io.millrace.bus.Request;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;

/**
 * One durable step of a run's life, written together with those of many other runs. Answered with whether the write
 * took effect: false means that another node owns the run now, and that the writer must stop.
 */
sealed interface RunWrite extends Request<Boolean> {
    /** The result of a step. */
    record StepResult(String path, Buffer record) {}

    /** What a run is from its birth on. */
    record Birth(
            String id,
            Instant created,
            String projectId,
            String flowId,
            String flowVersionId,
            Environment environment,
            Instant startTime,
            String parentRunId,
            boolean failParentOnFailure,
            String triggeredBy,
            String flowName) {}

    /** What is known of a run when it ends. */
    record Ending(
            RunStatus status,
            Instant finishTime,
            FailedStep failedStep,
            List<String> tags,
            int stepsCount,
            Buffer log) {}

    /** The run is accepted and goes on: its first commit. */
    record Insert(Birth birth, Buffer payload, String owner, List<String> tags, List<StepResult> results)
            implements RunWrite {
        @Override
        public String runId() {
            return birth.id();
        }
    }

    /** Further results of a live run. */
    record Append(String runId, long fence, List<StepResult> results) implements RunWrite {}

    /** The run has ended and was never live in the database: its only commit. */
    record InsertEnded(Birth birth, Ending ending) implements RunWrite {
        @Override
        public String runId() {
            return birth.id();
        }
    }

    /** A live run has ended. */
    record End(Birth birth, long fence, Ending ending) implements RunWrite {
        @Override
        public String runId() {
            return birth.id();
        }
    }

    String runId();

    /** About how much memory the write takes, for the writer's bounds. */
    default long bytes() {
        return switch (this) {
            case Insert insert -> insert.payload().length() + bytesOf(insert.results());
            case Append append -> bytesOf(append.results());
            case InsertEnded(var _, var ending) -> ending.log().length();
            case End end -> end.ending().log().length();
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
