package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.StepPath;
import java.time.Instant;
import java.util.List;

/**
 * Recorded run: input of the re-decider. The log is read only.
 *
 * @param startedAt time that expressions read as the current one
 * @param steps log of the run, nested by iterations
 */
public record RunRecording(RunStatus status, Instant startedAt, ObjectNode steps) {
    public static RunRecording ofTrigger(String name, String type, JsonNode output, Instant startedAt) {
        var steps = Json.object();
        steps.set(name, RunLog.record(type, "SUCCEEDED", Json.object(), output, 0));
        return new RunRecording(RunStatus.RUNNING, startedAt, steps);
    }

    /** The record at a path; null without one. */
    ObjectNode at(List<String> loops, StepPath path, String name) {
        JsonNode map = steps;
        for (var depth = 0; depth < loops.size() && map != null; depth++) {
            var loop = map.get(loops.get(depth));
            var output = loop == null ? null : loop.get("output");
            var iterations = output == null ? null : output.get("iterations");
            map = iterations == null ? null : iterations.get(path.iteration(depth));
        }
        return map != null && map.get(name) instanceof ObjectNode found ? found : null;
    }

    /** Returns whether the end is the result of the steps: other ends depend on time, memory or a request. */
    boolean isDecidedBySteps() {
        return status == RunStatus.SUCCEEDED || status == RunStatus.FAILED;
    }
}
