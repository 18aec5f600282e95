package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.core.Json;
import java.util.List;

/** Serializes steps in the wire format: sequences become {@code nextAction} links (contract flows-and-engine 2.3). */
public final class StepWriter {
    private StepWriter() {}

    static ObjectNode write(StepTree tree) {
        var json = fields(tree.trigger());
        link(json, "nextAction", tree.actions());
        return json;
    }

    private static void link(ObjectNode json, String field, List<ActionStep> sequence) {
        var head = sequence(sequence);
        if (head != null) {
            json.set(field, head);
        }
    }

    /** The head of a sequence with all successors, built from the end without recursion. */
    private static ObjectNode sequence(List<ActionStep> sequence) {
        ObjectNode next = null;
        for (var action : sequence.reversed()) {
            var json = fields(action);
            switch (action) {
                case CodeStep code -> errorBranches(json, code.onSuccess(), code.onFailure());
                case PieceStep piece -> errorBranches(json, piece.onSuccess(), piece.onFailure());
                case LoopStep loop -> link(json, "firstLoopAction", loop.body());
                case RouterStep router -> children(json, router.children());
            }
            if (next != null) {
                json.set("nextAction", next);
            }
            next = json;
        }
        return next;
    }

    private static void errorBranches(ObjectNode json, List<ActionStep> onSuccess, List<ActionStep> onFailure) {
        if (!onSuccess.isEmpty() || !onFailure.isEmpty()) {
            var branches = json.putObject("continueOnFailureBranches");
            link(branches, "onSuccess", onSuccess);
            link(branches, "onFailure", onFailure);
        }
    }

    private static void children(ObjectNode json, List<List<ActionStep>> children) {
        var list = json.putArray("children");
        for (var child : children) {
            var head = sequence(child);
            if (head == null) {
                list.addNull();
            } else {
                list.add(head);
            }
        }
    }

    /** A step without its successors and children. */
    static ObjectNode fields(Step step) {
        var json = Json.object()
                .put("name", step.name())
                .put("displayName", step.displayName())
                .put("type", step.type().name())
                .put("valid", step.valid());
        if (step.base().skip() != null) {
            json.put("skip", step.base().skip());
        }
        json.set("settings", step.settings().deepCopy());
        return json.put("lastUpdatedDate", step.base().lastUpdatedDate());
    }
}
