package io.millrace.authoring.importer.n8n;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.node.Outcome;
import io.millrace.authoring.importer.n8n.step.LoopFrame;
import io.millrace.authoring.importer.n8n.step.StepSequence;

/**
 * A translated node: its outcome, and where its steps are.
 *
 * @param number order of translation
 */
record NodePlace(Outcome outcome, StepSequence sequence, LoopFrame frame, int number) {
    /** View of an output from inside a loop or from behind it; null if the node has no output. */
    View viewFrom(int output, LoopFrame reader) {
        var view = outcome.output(output);
        var bodyView = outcome.sequence(output);
        var at = bodyView == null || bodyView.frame() == frame ? frame : bodyView.frame();
        if (view == null) {
            return null;
        }
        for (var loop = at; loop != null && !LoopFrame.isWithin(reader, loop); loop = loop.parent()) {
            view = view.gathered(loop.loop());
        }
        return view;
    }
}
