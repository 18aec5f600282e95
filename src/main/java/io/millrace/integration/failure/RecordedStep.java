package io.millrace.integration.failure;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.journal.RunSlices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Record of a step in the log of a run.
 *
 * @param path place in the log, such as {@code step_2[0].step_3}
 * @param record the record itself (contract flows-and-engine 6.2)
 */
public record RecordedStep(String name, String path, JsonNode record) {
    private static final String LOOP = "LOOP_ON_ITEMS";

    /** Iterations of one loop that {@link #byName} reads. */
    private static final int ITERATIONS_MAX = 100;

    public String type() {
        return record.path("type").asText();
    }

    public String errorMessage() {
        return record.path("errorMessage").asText("");
    }

    public JsonNode input() {
        return record.path("input");
    }

    /** The output, unless it is absent or stored apart from the log. The output of a loop repeats other records. */
    public Optional<JsonNode> output() {
        return record.has("output") && !RunSlices.isIn(record) && !isLoop()
                ? Optional.of(record.get("output"))
                : Optional.empty();
    }

    boolean isFailed() {
        return record.path("status").asText().equals("FAILED");
    }

    boolean isLoop() {
        return type().equals(LOOP);
    }

    private JsonNode iterations() {
        return record.path("output").path("iterations");
    }

    /** The failed record of a step; the last one, if it failed in several iterations. */
    public static Optional<RecordedStep> failed(JsonNode steps, String name) {
        return lastWalk(steps).stream()
                .filter(step -> step.name().equals(name) && step.isFailed())
                .findFirst();
    }

    /** Records in the order of execution; of each loop, those of its last iteration. */
    static List<RecordedStep> lastWalk(JsonNode steps) {
        var found = new ArrayList<RecordedStep>();
        walk("", steps, found);
        return found;
    }

    private static void walk(String prefix, JsonNode steps, List<RecordedStep> found) {
        for (var field : steps.properties()) {
            var step = new RecordedStep(field.getKey(), prefix + field.getKey(), field.getValue());
            found.add(step);
            var last = step.isLoop() ? step.iterations().size() - 1 : -1;
            if (last >= 0) {
                walk(step.path() + "[" + last + "].", step.iterations().get(last), found);
            }
        }
    }

    static Map<String, List<RecordedStep>> byName(JsonNode steps) {
        var found = new LinkedHashMap<String, List<RecordedStep>>();
        collect("", steps, found);
        return found;
    }

    private static void collect(String prefix, JsonNode steps, Map<String, List<RecordedStep>> found) {
        for (var field : steps.properties()) {
            var step = new RecordedStep(field.getKey(), prefix + field.getKey(), field.getValue());
            found.computeIfAbsent(step.name(), _ -> new ArrayList<>()).add(step);
            if (step.isLoop()) {
                for (var index = 0; index < Math.min(step.iterations().size(), ITERATIONS_MAX); index++) {
                    collect(step.path() + "[" + index + "].", step.iterations().get(index), found);
                }
            }
        }
    }
}
