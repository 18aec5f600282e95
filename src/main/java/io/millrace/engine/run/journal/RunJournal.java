package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.log.LoggedTrigger;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.ErrorMessage;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Results of one run: the log that callers read, the results that still have to be saved, and the results that an
 * earlier owner saved. Not thread-safe: one actor owns it.
 */
public final class RunJournal {
    public static final String OVER_TIME = "The run took longer than AP_FLOW_TIMEOUT_SECONDS allows";

    /** Size of a log that is serialized in about a millisecond. */
    private static final long SEEN_BYTES_MAX = 256 * 1024;

    private static final long ATTEMPTS_SIZE = ",'attempts':4".length();

    /** Size of a record without its name, input and output: type, status and duration. */
    private static final long RECORD_BYTES = 64;

    /** Cost of an iteration before its first step: without it, empty iterations would be unbounded. */
    private static final long ITERATION_BYTES = 16;

    private final CompiledFlow flow;
    private final RunSlices slices;
    private final RunMemory.Part memory;
    private final Map<String, JsonNode> recorded;
    private final RunLog log = new RunLog();
    private final Map<StepPath, ArrayNode> loopItems = new HashMap<>();
    private final Map<String, Long> loopsBegan = new HashMap<>();
    private final List<UnsavedRecord> unsaved = new ArrayList<>();
    private final long bytesMax;
    private StepConsole triggerConsole = StepConsole.EMPTY;
    private long bytes;

    /**
     * @param bytesMax limit of the log
     * @param recorded results of an earlier owner by the text of their path; empty for a new run
     */
    public RunJournal(
            CompiledFlow flow, RunSlices slices, RunMemory.Part memory, long bytesMax, Map<String, JsonNode> recorded) {
        this.flow = flow;
        this.bytesMax = bytesMax;
        this.slices = slices;
        this.memory = memory;
        this.recorded = recorded;
    }

    public boolean hasBegun() {
        return !log.steps().isEmpty();
    }

    /** Log of the trigger, for its record; it is not stored before the record. */
    public void logTrigger(StepConsole console) {
        triggerConsole = console;
    }

    public void begin(JsonNode payload, long payloadBytes) {
        bytes += payloadBytes;
        log.steps().set(flow.trigger().name(), triggerRecord("SUCCEEDED", payload));
    }

    /** @param hasOutput whether the payload is the output of the trigger, which could not prepare the run */
    public void beginFailed(JsonNode payload, long payloadBytes, String errorMessage, boolean hasOutput) {
        bytes += payloadBytes;
        var record = triggerRecord("FAILED", payload).put("errorMessage", errorMessage);
        if (hasOutput) {
            record.put(LoggedTrigger.UNPREPARED, true);
        }
        log.steps().set(flow.trigger().name(), record);
    }

    private ObjectNode triggerRecord(String status, JsonNode payload) {
        var record = RunLog.record(flow.trigger().type(), status, Json.object(), payload, 0);
        triggerConsole.writeTo(record);
        bytes += StepConsole.sizeIn(record);
        return record;
    }

    public ObjectNode steps() {
        return log.steps();
    }

    /** The log as text, with the executing step; empty when it is so large that it would block this event loop. */
    public Optional<Buffer> seen(StepPath atWork) {
        if (bytes > SEEN_BYTES_MAX || flow.test() != null) {
            return Optional.empty();
        }
        var map = mapOf(atWork);
        var name = nameOf(atWork);
        if (map.has(name)) {
            return Optional.of(RecordText.of(log.steps()));
        }
        map.set(name, RunLog.begun(flow.step(atWork.step()).type()));
        try {
            return Optional.of(RecordText.of(log.steps()));
        } finally {
            map.remove(name);
        }
    }

    /** Approximate size of the log in bytes. */
    long bytes() {
        return bytes;
    }

    /** The maps of records visible to a step, outermost first. */
    public List<ObjectNode> maps(StepPath path) {
        var maps = log.mapsAt(flow.step(path.step()).loops(), path);
        return flow.test() == null ? maps : List.of(flow.test().samples(), maps.getFirst());
    }

    /** The record that an earlier owner saved, or null. */
    public ObjectNode recorded(String pathText) {
        return (ObjectNode) recorded.get(pathText);
    }

    /** Adds to the next commit that the step is about to be executed, unless its outcome is known. */
    public void markBegun(StepPath path) {
        var pathText = path.text(flow.plan());
        if (recorded.get(pathText) == null || RunLog.isPaused(recorded(pathText))) {
            unsaved.add(
                    new UnsavedRecord(path, RunLog.begun(flow.step(path.step()).type()), null));
        }
    }

    /** Takes a saved record over; returns its size in the log. */
    public long restore(StepPath path, ObjectNode record) {
        slices.restore(record);
        mapOf(path).set(nameOf(path), record);
        return count(new Entry(record, sizeOf(path, record)));
    }

    /**
     * A record that has been written.
     *
     * @param size bytes counted against the limit
     */
    public record Entry(ObjectNode record, long size) {}

    /**
     * Writes the record of a step. Output may be null, which is "no output". A large one is stored apart, unless the
     * step is tested alone; one that will end the run by its size is not stored at all.
     */
    public Entry put(StepPath path, String status, JsonNode input, JsonNode output, long durationMs) {
        return put(path, status, input, JsonSize.of(input), output, durationMs);
    }

    /** @param inputBytes size of the input in bytes */
    public Entry put(StepPath path, String status, JsonNode input, long inputBytes, JsonNode output, long durationMs) {
        var outputBytes = JsonSize.of(output);
        var size = inputBytes + outputBytes + frameSize(path);
        var apart = flow.test() == null && slices.takes(outputBytes);
        var record = RunLog.record(flow.step(path.step()).type(), status, input, apart ? null : output, durationMs);
        if (apart && bytes + size <= bytesMax) {
            slices.put(record, output, outputBytes);
        }
        hold(path, apart ? size - outputBytes : size);
        var maps = maps(path);
        maps.getLast().set(nameOf(path), record);
        lengthenLoops(path, maps);
        return new Entry(record, size);
    }

    /**
     * Extends the durations of the enclosing loops. The end of a loop is not an event, so its duration grows with each
     * step that ends in it; after a take-over it counts from there.
     */
    private void lengthenLoops(StepPath path, List<ObjectNode> maps) {
        if (path.depth() == 0 || flow.test() != null) {
            return;
        }
        var now = System.nanoTime();
        var loops = flow.step(path.step()).loops();
        for (var depth = 0; depth < loops.size(); depth++) {
            var name = loops.get(depth);
            ((ObjectNode) maps.get(depth).get(name)).put("duration", (now - loopsBegan.get(name)) / 1_000_000);
        }
    }

    /** Inside a loop a record is soon converted to text, once in the log and once for the next commit. */
    private void hold(StepPath path, long textBytes) {
        if (path.depth() > 0) {
            memory.addText(2 * textBytes);
        } else {
            memory.addTree(textBytes);
        }
    }

    public Entry putFailed(StepPath path, JsonNode input, String errorMessage, long durationMs) {
        var entry = put(path, "FAILED", input, null, durationMs);
        entry.record().put("errorMessage", errorMessage);
        return entry;
    }

    /** Adds the number of the attempt, unless it was the first: an extension, which records of most steps omit. */
    public Entry withAttempts(Entry entry, int attempt) {
        if (attempt == 1) {
            return entry;
        }
        entry.record().put("attempts", attempt);
        return new Entry(entry.record(), entry.size() + ATTEMPTS_SIZE);
    }

    public Entry withConsole(Entry entry, StepConsole console) {
        console.writeTo(entry.record());
        return new Entry(entry.record(), entry.size() + StepConsole.sizeIn(entry.record()));
    }

    /**
     * Writes the record of a loop that begins.
     *
     * @param began the system's nano time
     */
    public Entry putLoop(StepPath path, ArrayNode items, JsonNode loggedItems, long began) {
        loopItems.put(path, items);
        loopsBegan.put(nameOf(path), began);
        var record = RunLog.loopRecord(loggedItems, (System.nanoTime() - began) / 1_000_000);
        mapOf(path).set(nameOf(path), record);
        return new Entry(record, sizeOf(path, record) + items.size() * ITERATION_BYTES);
    }

    /** The items are released with the last iteration: an inner loop has new ones each time. */
    public void enterIteration(StepPath path, int iteration) {
        var items = loopItems.get(path);
        var item = items.get(iteration);
        if (iteration == items.size() - 1) {
            loopItems.remove(path);
        }
        RunLog.enterIteration(mapOf(path), nameOf(path), iteration, item);
    }

    public void passIterations(StepPath path, int count) {
        for (var iteration = 0; iteration < count; iteration++) {
            enterIteration(path, iteration);
        }
    }

    /**
     * Adds a record to the next commit; returns its size in the log. It is serialized at the commit: a run of pure
     * steps has only one, which needs no text. Inside a loop it is serialized at once, because text takes a tenth of
     * the memory, and for a loop itself, because its record grows.
     */
    public long keep(StepPath path, Entry entry) {
        var changes = path.depth() > 0 || loopItems.containsKey(path);
        unsaved.add(new UnsavedRecord(path, entry.record(), changes ? RecordText.of(entry.record()) : null));
        return count(entry);
    }

    /**
     * A record for the next commit.
     *
     * @param text null before its serialization
     */
    private record UnsavedRecord(StepPath path, ObjectNode record, Buffer text) {
        RunWrite.StepResult result(CompiledFlow flow) {
            return new RunWrite.StepResult(path.text(flow.plan()), text == null ? RecordText.of(record) : text);
        }
    }

    public void discard(StepPath path) {
        var record = (ObjectNode) mapOf(path).remove(nameOf(path));
        var size = sizeOf(path, record);
        bytes -= size + (record.has("attempts") ? ATTEMPTS_SIZE : 0);
        // The memory as it was charged by put(): without outputs stored apart, and without texts of the console.
        var apartBytes = RunSlices.isIn(record) ? RunSlices.sizeOf(record) : 0;
        hold(path, -(size - apartBytes - StepConsole.sizeIn(record)));
        unsaved.removeIf(result -> result.path().equals(path));
    }

    List<RunWrite.StepResult> takeUnsaved() {
        var results = unsaved.stream().map(result -> result.result(flow)).toList();
        unsaved.clear();
        return results;
    }

    /** The step that passed the limit is failed and loses its output (contract flows-and-engine 15.1). */
    void dropOversizedOutput(StepPath path, String message) {
        var isTrigger = path.equals(StepPath.TRIGGER);
        var map = isTrigger ? log.steps() : mapOf(path);
        if (map.get(isTrigger ? flow.trigger().name() : nameOf(path)) instanceof ObjectNode record) {
            record.put("status", "FAILED");
            record.remove(List.of("output", "outputType"));
            record.put("errorMessage", ErrorMessage.of(message));
        }
    }

    /** The step that was executing when the run timed out has a record, too, unless it is a trigger. */
    void putTimedOut(StepPath path) {
        if (!path.equals(StepPath.TRIGGER) && !mapOf(path).has(nameOf(path))) {
            var record = RunLog.record(flow.step(path.step()).type(), "FAILED", Json.object(), null, 0);
            mapOf(path).set(nameOf(path), record.put("errorMessage", ErrorMessage.of(OVER_TIME)));
        }
    }

    /** Counts a record; returns the bytes that it takes of the limit. */
    public long count(Entry entry) {
        bytes += entry.size();
        return entry.size();
    }

    /** Size of input and output; an output stored apart counts with its original size (contract 15.1). */
    private long sizeOf(StepPath path, ObjectNode record) {
        var outputBytes = RunSlices.isIn(record) ? RunSlices.sizeOf(record) : JsonSize.of(record.get("output"));
        return JsonSize.of(record.get("input")) + outputBytes + StepConsole.sizeIn(record) + frameSize(path);
    }

    private long frameSize(StepPath path) {
        return JsonSize.ofText(nameOf(path)) + RECORD_BYTES;
    }

    /** The record of a step outside any loop, or null. */
    ObjectNode recordOf(String stepName) {
        return (ObjectNode) log.steps().get(stepName);
    }

    private ObjectNode mapOf(StepPath path) {
        return maps(path).getLast();
    }

    private String nameOf(StepPath path) {
        return flow.step(path.step()).name();
    }
}
