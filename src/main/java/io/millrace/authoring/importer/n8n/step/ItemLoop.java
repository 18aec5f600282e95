package io.millrace.authoring.importer.n8n.step;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Loop that steps are placed in.
 *
 * @param loop name of the loop step
 * @param parent surrounding loop, or null
 * @param isImplicit true for a loop that the importer added because a node can have several items
 * @param source the items; of a node whose view equals it, the current item is read
 * @param outer sequence that contains the loop step
 * @param pending nodes that read all items at once, which follow the loop
 */
public record ItemLoop(
        String loop, ItemLoop parent, boolean isImplicit, View source, StepSequence outer, List<WorkflowNode> pending) {
    public static ItemLoop of(String loop, boolean isImplicit, View source, StepSequence outer) {
        return new ItemLoop(loop, outer.frame(), isImplicit, source, outer, new ArrayList<>());
    }

    public String item() {
        return loop + "['output']['item']";
    }

    /** Expression of the number of the iteration, from 0. */
    public String index() {
        return "(" + loop + "['output']['index'] - 1)";
    }

    public static boolean isWithin(ItemLoop inner, ItemLoop outer) {
        for (var frame = inner; frame != null; frame = frame.parent) {
            if (frame.equals(outer)) {
                return true;
            }
        }
        return outer == null;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return loop;
    }
}
