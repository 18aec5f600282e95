package io.millrace.authoring.importer.n8n;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.node.NodeOutcome;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.StepSequence;

final class ErrorHandling {
    private static final int ERROR_OUTPUT = 1;
    private static final int RETRIES = 3;

    private ErrorHandling() {}

    static void apply(WorkflowNode node, NodeOutcome outcome, StepSequence sequence, NodeEntry entry) {
        var main = outcome.main();
        if (!node.continuesOnError() && !node.isRetried() || main == null) {
            return;
        }
        for (var step : outcome.steps()) {
            if (step.hasErrorHandling()) {
                step.setErrorHandling(node.continuesOnError(), node.isRetried());
            }
        }
        if (node.isRetried()) {
            var tries = node.json().path("maxTries").asInt(RETRIES);
            var waitMs = node.json().path("waitBetweenTries").asInt(1000);
            entry.near("retries: " + tries + " tries with " + waitMs
                    + " ms between them in n8n; here 4 tries with 4, 8 and 16 seconds between them");
        }
        if (!main.hasErrorHandling()) {
            entry.near("a router or loop has no error handling");
            return;
        }
        if (node.hasErrorOutput()) {
            main.setErrorHandling(true, node.isRetried());
            var success = sequence.inner();
            var failure = sequence.inner();
            main.setOutcomes(success, failure);
            outcome.setSequence(0, success);
            outcome.setSequence(ERROR_OUTPUT, failure);
            outcome.setCondition(0, "(" + main.name() + "['error'] == null)");
            outcome.setCondition(ERROR_OUTPUT, "(" + main.name() + "['error'] != null)");
            outcome.setOutput(ERROR_OUTPUT, View.one("({ })").with("error", main.name() + "['error']['message']"));
        } else if (node.continuesOnError()) {
            entry.near("after an error the step has no output; n8n gives the item an error field");
        }
    }
}
