package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A step that runs the branches whose conditions hold.
 *
 * @param children the sequence of each branch, by its index; there may be fewer or more than branches, because
 *     UPDATE_ACTION changes the branches alone (contract flows-and-engine 4.7)
 */
public record RouterStep(StepBase base, ObjectNode settings, List<List<ActionStep>> children) implements ActionStep {
    public static final String CONDITION = "CONDITION";
    public static final String FALLBACK = "FALLBACK";

    public RouterStep {
        children = children.stream().map(List::copyOf).toList();
    }

    public static RouterStep withoutChildren(StepBase base, ObjectNode settings) {
        return new RouterStep(
                base, settings, Collections.nCopies(settings.path("branches").size(), List.of()));
    }

    @Override
    public StepType type() {
        return StepType.ROUTER;
    }

    @Override
    public List<List<ActionStep>> sequences() {
        return children;
    }

    @Override
    public RouterStep with(StepBase otherBase, ObjectNode otherSettings, List<List<ActionStep>> sequences) {
        return new RouterStep(otherBase, otherSettings, sequences);
    }

    /** EXECUTE_FIRST_MATCH or EXECUTE_ALL_MATCH. */
    public String executionType() {
        return setting("executionType").orElse("");
    }

    /** The branches as they are stored (2.6): {@code {branchType, branchName, conditions?}}. */
    public List<JsonNode> branches() {
        var branches = new ArrayList<JsonNode>();
        settings.path("branches").forEach(branches::add);
        return branches;
    }

    public boolean isFallback(int index) {
        return FALLBACK.equals(
                settings.path("branches").path(index).path("branchType").asText());
    }

    /** Children, one at least for every branch. */
    public List<List<ActionStep>> alignedChildren() {
        var aligned = new ArrayList<>(children);
        for (var index = children.size(); index < settings.path("branches").size(); index++) {
            aligned.add(List.of());
        }
        return aligned;
    }

    /**
     * The router as if newly added with its children: one for each branch. Children of removed branches are kept while
     * they contain steps.
     */
    public RouterStep rebuilt() {
        var aligned = alignedChildren();
        var count = settings.path("branches").size();
        while (aligned.size() > count && aligned.getLast().isEmpty()) {
            aligned.removeLast();
        }
        return aligned.equals(children) ? this : new RouterStep(base, settings, aligned);
    }

    public RouterStep with(List<JsonNode> branches, List<List<ActionStep>> otherChildren) {
        var changed = settings.deepCopy();
        changed.set("branches", Json.array().addAll(branches));
        return new RouterStep(base, changed, otherChildren);
    }
}
