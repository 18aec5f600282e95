package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.List;

final class BranchTools {
    private static final String ROUTER = "routerStepName";
    private static final String INDEX = "branchIndex";
    private static final String BRANCH_NAME = "branchName";
    private static final String CONDITIONS = "conditions";
    private static final String CONDITIONS_TEXT =
            "Groups of conditions {firstValue, operator, secondValue, caseSensitive}: all conditions of at least one group must hold.";

    private final FlowAccess flows;

    BranchTools(FlowAccess flows) {
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(
                FlowBuildingTools.tool(
                        "ap_add_branch",
                        "Add a branch",
                        "Adds a branch to a router, before the fallback branch.",
                        ofRouter()
                                .text(BRANCH_NAME, "Name of the branch.")
                                .list(CONDITIONS, CONDITIONS_TEXT)
                                .whole(INDEX, "Index, from 0; default: last.")
                                .requiring(BRANCH_NAME),
                        ToolSpec.Effect.WRITES,
                        this::add),
                FlowBuildingTools.tool(
                        "ap_update_branch",
                        "Change a branch",
                        "Changes the name or the conditions of a branch of a router.",
                        ofRouter()
                                .whole(INDEX, "Index of the branch, from 0.")
                                .text(BRANCH_NAME, "The new name.")
                                .list(CONDITIONS, CONDITIONS_TEXT)
                                .requiring(INDEX),
                        ToolSpec.Effect.WRITES,
                        this::update),
                FlowBuildingTools.tool(
                        "ap_delete_branch",
                        "Delete a branch",
                        "Deletes a branch of a router with the steps in it.",
                        ofRouter().whole(INDEX, "Index of the branch, from 0.").requiring(INDEX),
                        ToolSpec.Effect.DESTROYS,
                        this::delete));
    }

    private static ToolInput ofRouter() {
        return FlowBuildingTools.ofFlow().text(ROUTER, "Name of the router.").requiring(ROUTER);
    }

    /** A new router has one branch to fill in, and the one for everything else. */
    static void addFirstBranches(ObjectNode settings) {
        var branches = settings.putArray("branches");
        var first = branches.addObject().put(BRANCH_NAME, "Branch 1").put("branchType", "CONDITION");
        first.putArray(CONDITIONS)
                .addArray()
                .addObject()
                .put("operator", "TEXT_CONTAINS")
                .put("firstValue", "")
                .put("secondValue", "")
                .put("caseSensitive", false);
        branches.addObject().put(BRANCH_NAME, "Otherwise").put("branchType", "FALLBACK");
    }

    private Future<ObjectNode> router(Tool.Use use) {
        return flows.get(use).map(flow -> {
            var step = FlowAccess.step(flow, use.text(ROUTER));
            if (!step.path("type").asText().equals("ROUTER")) {
                throw ApiException.of(ErrorCode.FLOW_OPERATION_INVALID, "the step is not a router");
            }
            return step;
        });
    }

    private static ArrayNode branches(ObjectNode router) {
        return (ArrayNode) router.at("/settings/branches");
    }

    private static int index(Tool.Use use, ObjectNode router) {
        var index = use.arguments().path(INDEX).asInt(-1);
        if (index < 0 || index >= branches(router).size()) {
            throw ApiException.of(ErrorCode.FLOW_OPERATION_INVALID, "the router has no branch with this index");
        }
        return index;
    }

    private Future<ToolResult> add(Tool.Use use) {
        return router(use)
                .map(router -> {
                    var last = branches(router).size();
                    for (var index = last - 1; index >= 0; index--) {
                        if (branches(router)
                                .get(index)
                                .path("branchType")
                                .asText()
                                .equals("FALLBACK")) {
                            last = index;
                        }
                    }
                    var request = Json.object()
                            .put("stepName", use.text(ROUTER))
                            .put(BRANCH_NAME, use.text(BRANCH_NAME))
                            .put(INDEX, use.arguments().path(INDEX).asInt(last));
                    if (use.arguments().hasNonNull(CONDITIONS)) {
                        request.set(CONDITIONS, use.arguments().get(CONDITIONS));
                    }
                    return request;
                })
                .compose(request -> flows.apply(use, "ADD_BRANCH", request))
                .map(flow -> FlowBuildingTools.changed("The branch was added.", flow));
    }

    private Future<ToolResult> update(Tool.Use use) {
        return router(use)
                .map(router -> {
                    var branch = (ObjectNode) branches(router).get(index(use, router));
                    for (var field : List.of(BRANCH_NAME, CONDITIONS)) {
                        if (use.arguments().hasNonNull(field)) {
                            branch.set(field, use.arguments().get(field));
                        }
                    }
                    return router.put("valid", true);
                })
                .compose(router -> flows.apply(use, "UPDATE_ACTION", router))
                .map(flow -> FlowBuildingTools.changed("The branch was changed.", flow));
    }

    private Future<ToolResult> delete(Tool.Use use) {
        return router(use)
                .map(router -> Json.object().put("stepName", use.text(ROUTER)).put(INDEX, index(use, router)))
                .compose(request -> flows.apply(use, "DELETE_BRANCH", request))
                .map(flow -> FlowBuildingTools.changed("The branch was deleted.", flow));
    }
}
