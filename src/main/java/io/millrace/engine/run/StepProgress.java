package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * How one step of a run goes (contract flows-and-engine 31, UPDATE_RUN_PROGRESS).
 *
 * @param number place of its record among those of the run, from 1; 0 while the step has none
 * @param levels the loops around it, outermost first
 * @param output its record; of a loop without the iterations
 */
public record StepProgress(long number, String name, List<Level> levels, JsonNode output) {
    /** An iteration (0-based) of a loop. */
    public record Level(String loopName, int iteration) {}

    /** Which step of a run it is. */
    public record StepPosition(long number, String name, List<Level> levels) {}

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
