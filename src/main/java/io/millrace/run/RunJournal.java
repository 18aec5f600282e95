package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.piece.ErrorMessage;
import io.millrace.run.machine.StepPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run has done: the log that callers read, the results that still have to be saved, and the results that an
 * earlier owner saved. Not thread safe: one actor owns it.
 */
final class RunJournal {
    /** What a record takes beside its name, input and output: type, status and duration. */
    private static final long RECORD_BYTES = 64;

    /** What an iteration takes before any step of it: without a price, empty ones would have no bound. */
    private static final long ITERATION_BYTES = 16;

    private final CompiledFlow flow;
    private final Map<String, JsonNode> recorded;
    private final RunLog log = new RunLog();
    private final Map<StepPath, ArrayNode> loopItems = new HashMap<>();
    private final List<RunWrite.StepResult> unsaved = new ArrayList<>();
    private long bytes;

    /**
     * @param recorded results of an earlier owner by the text of their path; empty for a new run
     */
    RunJournal(CompiledFlow flow, Map<String, JsonNode> recorded) {
        this.flow = flow;
        this.recorded = recorded;
    }

    void begin(JsonNode payload) {
        bytes += JsonSize.of(payload);
        log.steps().set(flow.trigger().name(), triggerRecord("SUCCEEDED", payload));
    }

    void beginFailed(JsonNode payload, String errorMessage) {
        bytes += JsonSize.of(payload);
        var record = triggerRecord("FAILED", payload).put("errorMessage", errorMessage);
        log.steps().set(flow.trigger().name(), record);
    }

    private ObjectNode triggerRecord(String status, JsonNode payload) {
        return RunLog.record(flow.trigger().type(), status, Json.object(), payload, 0);
    }

    /** Everything done so far, as callers read it. */
    ObjectNode steps() {
        return log.steps();
    }

    /** About how many bytes the log takes. */
    long bytes() {
        return bytes;
    }

    /** The maps of records that a step sees, outermost first. */
    List<ObjectNode> maps(StepPath path) {
        return log.mapsAt(flow.step(path.step()).loops(), path);
    }

    /** The record that an earlier owner saved; null when there is none. */
    ObjectNode recorded(String pathText) {
        return (ObjectNode) recorded.get(pathText);
    }

    /** Takes a saved record over; answers its size in the log. */
    long restore(StepPath path, ObjectNode record) {
        mapOf(path).set(nameOf(path), record);
        return count(path, record);
    }

    /** Writes the record of a step. Output may be null, which is "no output". */
    ObjectNode put(StepPath path, String status, JsonNode input, JsonNode output, long durationMs) {
        var record = RunLog.record(flow.step(path.step()).type(), status, input, output, durationMs);
        mapOf(path).set(nameOf(path), record);
        return record;
    }

    ObjectNode putFailed(StepPath path, JsonNode input, String errorMessage, long durationMs) {
        return put(path, "FAILED", input, null, durationMs).put("errorMessage", errorMessage);
    }

    /** Writes the record of a loop that begins; answers its size in the log. */
    long putLoop(StepPath path, ArrayNode items, JsonNode loggedItems) {
        loopItems.put(path, items);
        var record = RunLog.loopRecord(loggedItems);
        mapOf(path).set(nameOf(path), record);
        var iterations = items.size() * ITERATION_BYTES;
        bytes += iterations;
        return count(path, record) + iterations;
    }

    /** The items are let go with the last iteration: an inner loop has new ones each time. */
    void enterIteration(StepPath path, int iteration) {
        var items = loopItems.get(path);
        var item = items.get(iteration);
        if (iteration == items.size() - 1) {
            loopItems.remove(path);
        }
        RunLog.enterIteration(mapOf(path), nameOf(path), iteration, item);
    }

    void passIterations(StepPath path, int count) {
        for (var iteration = 0; iteration < count; iteration++) {
            enterIteration(path, iteration);
        }
    }

    /** Remembers a record for the next commit; answers its size in the log. */
    long keep(StepPath path, ObjectNode record) {
        unsaved.add(new RunWrite.StepResult(path.text(flow.plan()), RecordText.of(record)));
        return count(path, record);
    }

    /** Forgets a failed attempt. */
    void discard(StepPath path) {
        bytes -= sizeOf(path, (ObjectNode) mapOf(path).remove(nameOf(path)));
        var pathText = path.text(flow.plan());
        unsaved.removeIf(result -> result.path().equals(pathText));
    }

    /** What has to be saved now. */
    List<RunWrite.StepResult> takeUnsaved() {
        var results = List.copyOf(unsaved);
        unsaved.clear();
        return results;
    }

    /** The step that passed the limit is failed and loses its output (contract flows-and-engine 15.1). */
    void dropOversizedOutput(StepPath path, String message) {
        var isTrigger = path.equals(StepPath.TRIGGER);
        var map = isTrigger ? log.steps() : mapOf(path);
        if (map.get(isTrigger ? flow.trigger().name() : nameOf(path)) instanceof ObjectNode record) {
            record.put("status", "FAILED");
            record.remove("output");
            record.put("errorMessage", ErrorMessage.of(message));
        }
    }

    /** Counts a record; answers the bytes that it takes of the limit. */
    long count(StepPath path, ObjectNode record) {
        var size = sizeOf(path, record);
        bytes += size;
        return size;
    }

    /** Input and output, the name of the step, and the fields that every record has (contract 15.1). */
    private long sizeOf(StepPath path, ObjectNode record) {
        return JsonSize.of(record.get("input"))
                + JsonSize.of(record.get("output"))
                + JsonSize.ofText(nameOf(path))
                + RECORD_BYTES;
    }

    private ObjectNode mapOf(StepPath path) {
        return maps(path).getLast();
    }

    private String nameOf(StepPath path) {
        return flow.step(path.step()).name();
    }
}
