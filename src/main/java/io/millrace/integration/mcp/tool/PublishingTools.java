package io.millrace.integration.mcp.tool;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;

final class PublishingTools {
    private static final String STATUS = "status";

    private final FlowAccess flows;

    PublishingTools(FlowAccess flows) {
        this.flows = flows;
    }

    /** Warnings precede the structure: a model reads the beginning. The flow is published even if its warnings are unknown. */
    private Future<ToolResult> published(Tool.Use use, Flows.FlowWithVersion flow) {
        return flows.judge(use)
                .map(verdict -> verdict.warnings().stream()
                        .map(warning -> " Warning: step " + warning.stepName() + ": " + warning.message() + ".")
                        .collect(Collectors.joining()))
                .otherwise(" Its warnings could not be computed: call ap_validate_flow.")
                .map(warnings -> ToolResult.done("The flow was published." + warnings, FlowAccess.structure(flow)));
    }

    List<Tool> all() {
        return List.of(
                new Tool(
                        new ToolSpec(
                                "ap_lock_and_publish",
                                "Publish a flow",
                                "Publishes the latest version of a flow and enables it: events start runs from now on.",
                                FlowBuildingTools.ofFlow(),
                                Permission.UPDATE_FLOW_STATUS,
                                ToolSpec.Effect.WRITES),
                        use -> flows.apply(use, "LOCK_AND_PUBLISH", Json.object())
                                .compose(flow -> published(use, flow))),
                new Tool(
                        new ToolSpec(
                                "ap_change_flow_status",
                                "Switch a flow on or off",
                                "Enables or disables a published flow.",
                                FlowBuildingTools.ofFlow()
                                        .choice(STATUS, "", FlowStatus.class)
                                        .requiring(STATUS),
                                Permission.UPDATE_FLOW_STATUS,
                                ToolSpec.Effect.WRITES),
                        use -> flows.apply(use, "CHANGE_STATUS", Json.object().put(STATUS, use.text(STATUS)))
                                .map(flow -> ToolResult.done(
                                        "The flow is " + flow.flow().status().name() + " now."))));
    }
}
