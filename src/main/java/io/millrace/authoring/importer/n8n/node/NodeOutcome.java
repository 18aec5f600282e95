package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.authoring.importer.n8n.step.StepSequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Result of the translation of one node: its steps and the input of the nodes after it. */
public final class NodeOutcome {
    private final List<StepDraft> steps = new ArrayList<>();
    private final Map<Integer, View> outputs = new HashMap<>();
    private final Map<Integer, StepSequence> sequences = new HashMap<>();
    private final Map<Integer, String> conditions = new HashMap<>();
    private final List<NodeEntry> parts = new ArrayList<>();
    private View output;
    private ObjectNode trigger;

    void add(StepDraft step) {
        steps.add(step);
    }

    /** View of an output; the output of the node if none is set; null if there is none. */
    public View output(int index) {
        return outputs.getOrDefault(index, output);
    }

    void setOutput(View view) {
        output = view;
    }

    public void setOutput(int index, View view) {
        outputs.put(index, view);
    }

    /** Sequence for the nodes after an output; null if they follow the node. */
    public StepSequence sequence(int index) {
        return sequences.get(index);
    }

    public void setSequence(int index, StepSequence sequence) {
        sequences.put(index, sequence);
    }

    /** Expression that is true if the output was taken; null if it always is after the node. */
    public String condition(int index) {
        return conditions.get(index);
    }

    public void setCondition(int index, String condition) {
        conditions.put(index, condition);
    }

    public List<StepDraft> steps() {
        return List.copyOf(steps);
    }

    void addPart(NodeEntry part) {
        parts.add(part);
    }

    /** Entries of the sub-nodes. */
    public List<NodeEntry> parts() {
        return List.copyOf(parts);
    }

    void setTrigger(ObjectNode json) {
        trigger = json;
    }

    /** Trigger of the flow; null if the node is none. */
    public ObjectNode trigger() {
        return trigger;
    }

    /** The step that executes the node; null if it needs none. */
    public StepDraft main() {
        return steps.isEmpty() ? null : steps.getLast();
    }
}
