package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
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

    /** Position of a step in a run. */
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
