package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.core.JsonDifference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Difference of one step between two trees. Steps are matched by name, because other parts of a flow refer to them by
 * name.
 *
 * @param place position of the step after the change; of a removed step, its former position
 * @param fields changed fields of a step in both trees
 */
public record StepChange(String step, String displayName, Kind kind, String place, List<JsonDifference> fields) {
    public StepChange {
        fields = List.copyOf(fields);
    }

    public enum Kind {
        ADD,
        REMOVE,
        CHANGE,
        MOVE
    }

    private record StepPlace(Step step, String place) {}

    /** Differences between two trees: removed steps first, then the others in the order of the new tree. */
    public static List<StepChange> between(StepTree before, StepTree after) {
        var old = placed(before);
        var wanted = placed(after);
        var changes = new ArrayList<StepChange>();
        old.forEach((name, there) -> {
            if (!wanted.containsKey(name)) {
                changes.add(change(there, Kind.REMOVE, List.of()));
            }
        });
        wanted.forEach((name, there) -> {
            var earlier = old.get(name);
            if (earlier == null) {
                changes.add(change(there, Kind.ADD, List.of()));
                return;
            }
            var fields = JsonDifference.between(own(earlier.step()), own(there.step()));
            if (!earlier.place().equals(there.place())) {
                changes.add(change(there, Kind.MOVE, fields));
            } else if (!fields.isEmpty()) {
                changes.add(change(there, Kind.CHANGE, fields));
            }
        });
        return changes;
    }

    private static StepChange change(StepPlace placed, Kind kind, List<JsonDifference> fields) {
        var step = placed.step();
        return new StepChange(step.name(), step.displayName(), kind, placed.place(), fields);
    }

    private static ObjectNode own(Step step) {
        return StepWriter.fields(step);
    }

    private static Map<String, StepPlace> placed(StepTree tree) {
        var placed = new LinkedHashMap<String, StepPlace>();
        placed.put(tree.trigger().name(), new StepPlace(tree.trigger(), "first"));
        place(tree.actions(), "after " + tree.trigger().name(), placed);
        return placed;
    }

    /** Recursion is bounded by the nesting limit; sequences are iterated. */
    private static void place(List<ActionStep> sequence, String first, Map<String, StepPlace> placed) {
        var place = first;
        for (var action : sequence) {
            placed.put(action.name(), new StepPlace(action, place));
            var inner = action.sequences();
            for (var index = 0; index < inner.size(); index++) {
                place(inner.get(index), "first in " + action.name() + "/" + index, placed);
            }
            place = "after " + action.name();
        }
    }
}
