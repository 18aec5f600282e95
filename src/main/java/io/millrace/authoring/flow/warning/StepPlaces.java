package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.version.StepTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Positions of the steps of a flow in execution order, with the sequences that contain them. */
final class StepPlaces {
    private static final String FIRST_MATCH = "EXECUTE_FIRST_MATCH";

    private record Enclosure(ActionStep parent, int index) {}

    private record Place(int order, List<Enclosure> enclosures) {}

    private final Map<String, Place> places = new HashMap<>();

    StepPlaces(StepTree tree) {
        places.put(tree.trigger().name(), new Place(0, List.of()));
        add(tree.actions(), List.of());
    }

    private void add(List<ActionStep> sequence, List<Enclosure> enclosures) {
        for (var step : sequence) {
            places.putIfAbsent(step.name(), new Place(places.size(), enclosures));
            var index = 0;
            for (var inner : step.sequences()) {
                var deeper = new ArrayList<>(enclosures);
                deeper.add(new Enclosure(step, index));
                add(inner, List.copyOf(deeper));
                index++;
            }
        }
    }

    boolean isConditional(String name) {
        return places.get(name).enclosures().stream().anyMatch(each -> !(each.parent() instanceof LoopStep));
    }

    /** Reason why a step has no value of another one; empty when it may have. Both exist. */
    Optional<String> obstacle(String reader, String read) {
        if (reader.equals(read)) {
            return isInLoop(reader, reader) ? Optional.empty() : Optional.of("is this step itself");
        }
        var from = places.get(reader);
        var to = places.get(read);
        if (areExclusive(from.enclosures(), to.enclosures())) {
            return Optional.of("is in another branch of which only one runs");
        }
        return to.order() > from.order() && !isInLoop(reader, read)
                ? Optional.of("runs after this step")
                : Optional.empty();
    }

    /** In a loop, a later step's value of the previous item can be read. */
    private boolean isInLoop(String one, String other) {
        var first = places.get(one).enclosures();
        var second = places.get(other).enclosures();
        for (var depth = 0; depth < Math.min(first.size(), second.size()); depth++) {
            if (!isSame(first.get(depth), second.get(depth))) {
                return false;
            }
            if (first.get(depth).parent() instanceof LoopStep) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(Enclosure one, Enclosure other) {
        return one.parent().name().equals(other.parent().name()) && one.index() == other.index();
    }

    private static boolean areExclusive(List<Enclosure> one, List<Enclosure> other) {
        for (var depth = 0; depth < Math.min(one.size(), other.size()); depth++) {
            var first = one.get(depth);
            var second = other.get(depth);
            if (first.parent() instanceof LoopStep) {
                return false;
            }
            if (!isSame(first, second)) {
                return first.parent().name().equals(second.parent().name()) && isExclusive(first.parent());
            }
        }
        return false;
    }

    private static boolean isExclusive(ActionStep parent) {
        return !(parent instanceof RouterStep router) || router.executionType().equals(FIRST_MATCH);
    }
}
