package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.RouterSchema;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.version.StepCopy;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Edits the branches of routers (contract flows-and-engine 4.12): a branch and its child move together. */
final class BranchEditor {
    private BranchEditor() {}

    static StepTree added(StepTree tree, FlowOperation.AddBranch add, String now) {
        return change(tree, add.stepName(), now, router -> {
            var count = router.branches().size();
            check(router, add.branchIndex(), count + 1);
            var conditions = add.conditions() == null ? RouterSchema.emptyConditions() : add.conditions();
            return inserted(router, add.branchIndex(), condition(add.branchName(), conditions), List.of());
        });
    }

    static StepTree deleted(StepTree tree, FlowOperation.DeleteBranch delete, String now) {
        return change(tree, delete.stepName(), now, router -> {
            var branches = router.branches();
            check(router, delete.branchIndex(), branches.size());
            var children = router.alignedChildren();
            branches.remove(delete.branchIndex());
            children.remove(delete.branchIndex());
            return router.with(branches, children);
        });
    }

    static StepTree duplicated(StepTree tree, FlowOperation.DuplicateBranch duplicate, String now) {
        var step =
                tree.findAction(duplicate.stepName()).orElseThrow(() -> FlowEditor.stepNotFound(duplicate.stepName()));
        if (!(step instanceof RouterStep)) {
            throw StepTree.refusal("expected a router, found step " + step.name() + " of type " + step.type());
        }
        return change(tree, duplicate.stepName(), now, router -> {
            var index = duplicate.branchIndex();
            check(router, index, router.branches().size());
            var child = StepCopy.of(router.alignedChildren().get(index), tree.names(), now);
            return inserted(router, index + 1, copyOf(router.branches().get(index)), child);
        });
    }

    /** Moves a branch. No effect when an index is out of range, both are equal, or a fallback branch is involved. */
    static StepTree moved(StepTree tree, FlowOperation.MoveBranch move, String now) {
        return change(tree, move.stepName(), now, router -> {
            var source = move.sourceBranchIndex();
            var target = move.targetBranchIndex();
            var branches = router.branches();
            var isInRange = Math.min(source, target) >= 0 && Math.max(source, target) < branches.size();
            if (!isInRange || source == target || router.isFallback(source) || router.isFallback(target)) {
                return router;
            }
            var children = router.alignedChildren();
            branches.add(target, branches.remove(source));
            children.add(target, children.remove(source));
            return router.with(branches, children);
        });
    }

    private static StepTree change(StepTree tree, String stepName, String now, UnaryOperator<RouterStep> edit) {
        return tree.change(
                action -> action instanceof RouterStep && action.name().equals(stepName), action -> {
                    var router = (RouterStep) action;
                    var edited = edit.apply(router);
                    return edited.equals(router)
                            ? router
                            : edited.with(edited.base().changedAt(now));
                });
    }

    private static RouterStep inserted(RouterStep router, int index, JsonNode branch, List<ActionStep> child) {
        var branches = router.branches();
        var children = new ArrayList<>(router.alignedChildren());
        branches.add(index, branch);
        children.add(index, child);
        return router.with(branches, children);
    }

    private static ObjectNode condition(String name, ArrayNode conditions) {
        var branch = Json.object().put("branchType", RouterStep.CONDITION).put("branchName", name);
        branch.set("conditions", conditions);
        return branch;
    }

    /** A router has one fallback branch, so its copy becomes a condition. */
    private static ObjectNode copyOf(JsonNode branch) {
        var conditions =
                branch.get("conditions") instanceof ArrayNode known ? known.deepCopy() : RouterSchema.emptyConditions();
        return condition(branch.path("branchName").asText() + " Copy", conditions);
    }

    private static void check(RouterStep router, int index, int bound) {
        if (index < 0 || index >= bound) {
            throw StepTree.refusal(
                    "expected a branchIndex below " + bound + " for step " + router.name() + ", found " + index);
        }
    }
}
