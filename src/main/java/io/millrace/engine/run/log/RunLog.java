package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.StepPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Log of the steps of one run: a map of step name to record, with one such map for each iteration of a loop inside the
 * loop's record (contract flows-and-engine 6.2, 9.2). It is the JSON that callers read.
 *
 * <p>A place in the log is the list of maps from the outermost to the innermost. Not thread-safe: one actor owns it.
 */
public final class RunLog {
    private static final String BEGUN = "RUNNING";

    private final ObjectNode steps = Json.object();

    public ObjectNode steps() {
        return steps;
    }

    /**
     * The maps that a step sees, outermost first.
     *
     * @param loopNames names of the loops around the step, outermost first
     * @param path position of the step
     */
    public List<ObjectNode> mapsAt(List<String> loopNames, StepPath path) {
        if (loopNames.isEmpty()) {
            return List.of(steps);
        }
        var maps = new ArrayList<ObjectNode>(loopNames.size() + 1);
        maps.add(steps);
        var map = steps;
        for (var depth = 0; depth < loopNames.size(); depth++) {
            map = (ObjectNode) iterationsOf(map, loopNames.get(depth)).get(path.iteration(depth));
            maps.add(map);
        }
        return maps;
    }

    public static void enterIteration(ObjectNode map, String loopName, int iteration, JsonNode item) {
        var output = (ObjectNode) map.get(loopName).get("output");
        output.set("item", item);
        output.put("index", iteration + 1);
        var iterations = (ArrayNode) output.get("iterations");
        while (iterations.size() <= iteration) {
            iterations.addObject();
        }
    }

    /** The record of a finished or failed step. Output may be null, which is "no output". */
    public static ObjectNode record(String type, String status, JsonNode input, JsonNode output, long durationMs) {
        var record = Json.object().put("type", type).put("status", status);
        record.set("input", input);
        if (output != null) {
            record.set("output", output);
        }
        return record.put("duration", durationMs);
    }

    public static ObjectNode begun(String type) {
        return record(type, BEGUN, Json.object(), null, 0);
    }

    public static boolean isBegun(ObjectNode record) {
        return record.path("status").asText().equals(BEGUN);
    }

    /** The step is executed again when its waitpoint is completed. */
    public static boolean isPaused(ObjectNode record) {
        return record.path("status").asText().equals("PAUSED");
    }

    public static ObjectNode loopRecord(JsonNode items, long durationMs) {
        var input = Json.object();
        input.set("items", items);
        var output = Json.object().put("index", 0);
        output.set("iterations", new ArrayNode(JsonNodeFactory.instance, new Iterations()));
        return record("LOOP_ON_ITEMS", "SUCCEEDED", input, output, durationMs);
    }

    /** The record at a path, such as {@code step_2[0].step_3}, or empty. */
    public static Optional<ObjectNode> find(JsonNode steps, String path) {
        var map = steps;
        var names = path.split("\\.");
        for (var depth = 0; depth < names.length - 1; depth++) {
            var end = names[depth].indexOf('[');
            var iteration = names[depth].substring(end + 1, names[depth].length() - 1);
            map = map.path(names[depth].substring(0, end)).at("/output/iterations/" + iteration);
        }
        return Optional.of(map.path(names[names.length - 1]))
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast);
    }

    private static ArrayNode iterationsOf(ObjectNode map, String loopName) {
        return (ArrayNode) map.get(loopName).get("output").get("iterations");
    }
}
