package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/** Calls in a recorded log that a walk did not make. */
final class RecordedCalls {
    private RecordedCalls() {}

    record OmittedCall(String path, JsonNode input) {}

    /**
     * Finds the first recorded call that is missing from the log of a walk.
     *
     * @param outside names of the steps that are calls
     */
    static Optional<OmittedCall> firstOmitted(JsonNode recorded, JsonNode walked, Set<String> outside) {
        return outside.isEmpty() ? Optional.empty() : find(recorded, walked, outside, "");
    }

    /** Recursion as deep as loops are nested, which the flow's editor bounds. */
    private static Optional<OmittedCall> find(JsonNode recorded, JsonNode walked, Set<String> outside, String prefix) {
        for (var step : recorded.properties()) {
            var name = step.getKey();
            var found = walked.path(name);
            if (outside.contains(name) && found.isMissingNode()) {
                return Optional.of(
                        new OmittedCall(prefix + name, step.getValue().path("input")));
            }
            var iterations = step.getValue().path("type").asText().equals("LOOP_ON_ITEMS")
                    ? step.getValue().path("output").path("iterations")
                    : null;
            for (var iteration = 0; iterations != null && iteration < iterations.size(); iteration++) {
                var inner = find(
                        iterations.get(iteration),
                        found.path("output").path("iterations").path(iteration),
                        outside,
                        prefix + name + "[" + iteration + "].");
                if (inner.isPresent()) {
                    return inner;
                }
            }
        }
        return Optional.empty();
    }
}
