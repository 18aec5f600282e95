package io.millrace.integration.failure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Comparison of the data of a failed run with that of a successful one, step by step in the order of execution. Compares
 * outputs, and the input of the failed step. Headers of messages are left out: they vary with clients and servers.
 */
public final class RunComparison {
    static final int DIFFERENCES_MAX = 50;

    private static final String TRUNCATED = "(truncated, original size ";

    private RunComparison() {}

    public enum DataSide {
        INPUT,
        OUTPUT
    }

    /**
     * The first step whose data have another shape.
     *
     * @param differences at most {@link #DIFFERENCES_MAX}
     */
    public record Difference(RecordedStep step, DataSide side, List<ShapeDifference> differences) {
        public Difference {
            differences = List.copyOf(differences);
        }
    }

    /**
     * The first difference; empty without one.
     *
     * @param failed log of the failed run
     * @param former log of the successful run
     * @param failedStep name of the step that failed
     */
    public static Optional<Difference> first(JsonNode failed, JsonNode former, String failedStep) {
        var formerSteps = RecordedStep.byName(former);
        for (var step : RecordedStep.lastWalk(failed)) {
            var found =
                    difference(step, step.name().equals(failedStep) ? DataSide.INPUT : DataSide.OUTPUT, formerSteps);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Difference> difference(
            RecordedStep step, DataSide side, Map<String, List<RecordedStep>> formerSteps) {
        var former = formerSteps.getOrDefault(step.name(), List.of()).stream()
                .filter(same -> same.type().equals(step.type()) && !same.isFailed())
                .toList();
        var before = former.stream().flatMap(same -> value(same, side).stream()).toList();
        var now = value(step, side);
        if (before.isEmpty() || now.isEmpty()) {
            return Optional.empty();
        }
        var leftOut = new HashSet<String>(truncated(now.get()));
        before.forEach(value -> leftOut.addAll(truncated(value)));
        var differences = ShapeDifference.between(
                DataShape.of(
                        before.stream().map(value -> without(value, leftOut)).toList()),
                DataShape.of(List.of(without(now.get(), leftOut))),
                DIFFERENCES_MAX);
        return differences.isEmpty() ? Optional.empty() : Optional.of(new Difference(step, side, differences));
    }

    private static Optional<JsonNode> value(RecordedStep step, DataSide side) {
        return side == DataSide.INPUT
                ? Optional.of(step.input()).filter(input -> !input.isMissingNode())
                : step.output().map(RunComparison::withoutHeaders);
    }

    private static JsonNode withoutHeaders(JsonNode output) {
        return output.path("headers").isObject() && output.has("body") ? without(output, Set.of("headers")) : output;
    }

    /** Fields that the log holds shortened: their type is unknown. */
    private static Set<String> truncated(JsonNode value) {
        var names = new HashSet<String>();
        value.properties().forEach(field -> {
            if (field.getValue().asText("").startsWith(TRUNCATED)) {
                names.add(field.getKey());
            }
        });
        return names;
    }

    private static JsonNode without(JsonNode value, Set<String> names) {
        if (names.isEmpty() || !(value instanceof ObjectNode object)) {
            return value;
        }
        var rest = Json.object();
        rest.setAll(object);
        rest.remove(names);
        return rest;
    }
}
