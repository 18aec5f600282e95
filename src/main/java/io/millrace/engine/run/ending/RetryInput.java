package io.millrace.engine.run.ending;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.journal.LoggedResults;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Input of the retry of an ended run.
 *
 * @param payload output of the trigger
 * @param executeTrigger whether the trigger, which had failed, must still process the payload
 * @param unprepared whether the trigger, which had failed to, must still prepare the run
 * @param results results that are kept
 * @param slices ids of the files that hold outputs of the results
 */
record RetryInput(
        Buffer payload,
        boolean executeTrigger,
        boolean unprepared,
        List<RunWrite.StepResult> results,
        List<String> slices) {
    static RetryInput of(String runId, JsonNode steps) {
        var trigger = RunRetry.trigger(runId, steps);
        var restored = LoggedResults.restored(steps);
        var slices = restored.values().stream()
                .filter(RunSlices::isIn)
                .map(RunSlices::fileIdOf)
                .toList();
        var results = restored.entrySet().stream()
                .map(result -> new RunWrite.StepResult(result.getKey(), RecordText.of(result.getValue())))
                .toList();
        return new RetryInput(
                RecordText.of(trigger.output()), trigger.executeTrigger(), trigger.unprepared(), results, slices);
    }
}
