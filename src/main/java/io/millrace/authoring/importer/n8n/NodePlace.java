package io.millrace.authoring.importer.n8n;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.node.NodeOutcome;
import io.millrace.authoring.importer.n8n.step.ItemLoop;
import io.millrace.authoring.importer.n8n.step.StepSequence;
import java.util.Objects;

/**
 * A translated node: its outcome, and where its steps are.
 *
 * @param number order of translation
 */
record NodePlace(NodeOutcome outcome, StepSequence sequence, ItemLoop frame, int number) {
    /** View of an output from inside a loop or after it; null if the node has no output. */
    View viewFrom(int output, ItemLoop reader) {
        var view = outcome.output(output);
        var bodyView = outcome.sequence(output);
        var at = bodyView == null || Objects.equals(bodyView.frame(), frame) ? frame : bodyView.frame();
        if (view == null) {
            return null;
        }
        for (var loop = at; loop != null && !ItemLoop.isWithin(reader, loop); loop = loop.parent()) {
            view = view.gathered(loop.loop());
        }
        return view;
    }
}
