package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Progress of one step of a run (contract flows-and-engine 31, UPDATE_RUN_PROGRESS).
 *
 * @param number index of its record among those of the run, from 1; 0 while the step has none
 * @param levels the loops around it, outermost first
 * @param output its record; of a loop without the iterations
 */
public record StepProgress(long number, String name, List<Level> levels, JsonNode output) {
    /** An iteration (0-based) of a loop. */
    public record Level(String loopName, int iteration) {}

    public record StepPosition(long number, String name, List<Level> levels) {}

    /**
     * Progress of a step without a record.
     *
     * @param path path of the step as text, such as {@code step_2[0].step_3}
     */
    public static StepProgress underWay(String path, JsonNode output) {
        var names = path.split("\\.");
        var levels = Arrays.stream(names)
                .limit(names.length - 1L)
                .map(name -> new Level(
                        name.substring(0, name.indexOf('[')),
                        Integer.parseInt(name.substring(name.indexOf('[') + 1, name.length() - 1))))
                .toList();
        return new StepProgress(0, names[names.length - 1], levels, output);
    }

    /**
     * Records of a log in the order in which they were written: the iterations of a loop follow its own record.
     *
     * @param after number of records that are left out
     */
    public static List<StepProgress> ofLog(ObjectNode steps, long after) {
        var found = new ArrayList<StepProgress>();
        collect(steps, List.of(), after, new long[1], found);
        return found;
    }

    public static long count(ObjectNode steps) {
        var number = new long[1];
        collect(steps, List.of(), Long.MAX_VALUE, number, new ArrayList<>());
        return number[0];
    }

    private static void collect(
            ObjectNode steps, List<Level> levels, long after, long[] number, List<StepProgress> found) {
        for (var step : steps.properties()) {
            number[0]++;
            var stepRecord = (ObjectNode) step.getValue();
            if (number[0] > after) {
                found.add(new StepProgress(number[0], step.getKey(), levels, shown(stepRecord)));
            }
            var iterations = stepRecord.path("output").path("iterations");
            if (isLoop(stepRecord)) {
                for (var iteration = 0; iteration < iterations.size(); iteration++) {
                    var deeper = new ArrayList<>(levels);
                    deeper.add(new Level(step.getKey(), iteration));
                    collect((ObjectNode) iterations.get(iteration), List.copyOf(deeper), after, number, found);
                }
            }
        }
    }

    /** A loop's record still grows and may be large: its iterations are reported one step at a time. */
    public static JsonNode shown(ObjectNode stepRecord) {
        if (!isLoop(stepRecord) || !stepRecord.path("output").isObject()) {
            return stepRecord;
        }
        var copy = Json.object();
        copy.setAll(stepRecord);
        var output = copy.putObject("output");
        output.setAll((ObjectNode) stepRecord.get("output"));
        output.remove("iterations");
        return copy;
    }

    private static boolean isLoop(ObjectNode stepRecord) {
        return stepRecord.path("type").asText().equals("LOOP_ON_ITEMS");
    }

    public StepPosition place() {
        return new StepPosition(number, name, levels);
    }

    public ObjectNode toJson() {
        var json = Json.object().put("name", name);
        var path = json.putArray("path");
        levels.forEach(level -> path.addArray().add(level.loopName()).add(level.iteration()));
        json.set("output", output);
        return json;
    }
}
