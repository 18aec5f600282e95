package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RetryStrategy;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

final class TestingTools {
    private static final long DEADLINE_MS = 60_000;
    private static final String STEP_NAME = "stepName";
    private static final String PIECE_NAME = "pieceName";
    private static final String ACTION_NAME = "actionName";
    private static final String TRIGGER_NAME = "triggerName";
    private static final String INPUT = "input";
    private static final String STRATEGY = "strategy";
    private static final String RUN_ID = "runId";

    private final Bus bus;
    private final FlowAccess flows;
    private final RunWait waits;

    TestingTools(Bus bus, FlowAccess flows, RunWait waits) {
        this.bus = bus;
        this.flows = flows;
        this.waits = waits;
    }

    List<Tool> all() {
        return List.of(
                new Tool(
                        new ToolSpec(
                                "ap_validate_flow",
                                "Check a flow",
                                "Checks whether a flow can be published, and lists the steps that are not ready.",
                                FlowBuildingTools.ofFlow(),
                                Permission.READ_FLOW,
                                ToolSpec.Effect.READS),
                        use -> flows.judge(use).map(TestingTools::verdict)),
                new Tool(
                        new ToolSpec(
                                "ap_validate_step_config",
                                "Check a step's inputs",
                                "Lists missing and unknown inputs of an action or a trigger.",
                                ToolInput.none()
                                        .text(PIECE_NAME, "Name of the piece.")
                                        .text("pieceVersion", "Exact version; default: the newest.")
                                        .text(ACTION_NAME, "Name of the action; either this or trigger.")
                                        .text(TRIGGER_NAME, "The trigger.")
                                        .object(INPUT, "Inputs by name.")
                                        .requiring(PIECE_NAME, INPUT),
                                Permission.READ_FLOW,
                                ToolSpec.Effect.READS),
                        this::validateStep),
                FlowBuildingTools.tool(
                        "ap_test_flow",
                        "Test a flow",
                        "Runs the latest version with the sample data of its trigger and waits for the end. Its steps"
                                + " have real effects.",
                        FlowBuildingTools.ofFlow(),
                        ToolSpec.Effect.WRITES,
                        this::testFlow),
                FlowBuildingTools.tool(
                        "ap_test_step",
                        "Test a step",
                        "Runs one step with the sample data of the others and waits for its result.",
                        FlowBuildingTools.ofFlow()
                                .text(STEP_NAME, "The step to run.")
                                .requiring(STEP_NAME),
                        ToolSpec.Effect.WRITES,
                        this::testStep),
                new Tool(
                        new ToolSpec(
                                "ap_retry_run",
                                "Retry a run",
                                "Retries a failed run and waits for the end.",
                                ToolInput.none()
                                        .text(RUN_ID, "Id of the run.")
                                        .choice(STRATEGY, "Default: FROM_FAILED_STEP.", RetryStrategy.class)
                                        .requiring(RUN_ID),
                                Permission.WRITE_RUN,
                                ToolSpec.Effect.WRITES),
                        this::retry));
    }

    private static ToolResult verdict(Flows.Verdict verdict) {
        var version = verdict.flow().version();
        var invalid = Json.array();
        version.steps().steps().stream()
                .filter(step -> !step.valid() && !step.isSkipped())
                .forEach(step -> reasons(
                        invalid.addObject()
                                .put("name", step.name())
                                .put("displayName", step.displayName())
                                .put("type", step.type().name()),
                        verdict.problems()));
        var json = Json.object().put("valid", version.valid());
        json.set("invalidSteps", invalid);
        if (!verdict.warnings().isEmpty()) {
            var warnings = json.putArray("warnings");
            verdict.warnings().forEach(warning -> warnings.add(warning.toJson()));
        }
        return version.valid()
                ? ToolResult.done("The flow is ready to be published.", json)
                : new ToolResult("\u26a0\ufe0f The flow is not ready.\n\n" + Json.text(json), false);
    }

    private static void reasons(ObjectNode step, List<StepProblem> problems) {
        var reasons = step.putArray("reasons");
        problems.stream()
                .filter(problem -> problem.stepName().equals(step.path("name").asText()))
                .forEach(problem -> reasons.add(problem.message()));
    }

    private Future<ToolResult> validateStep(Tool.Use use) {
        var version = Optional.of(use.text("pieceVersion")).filter(text -> !text.isEmpty());
        var get = new Pieces.Get(PieceScope.of(use.by().platform()), use.text(PIECE_NAME), version, Optional.empty());
        return bus.ask(get, DEADLINE_MS).map(piece -> {
            var isAction = !use.text(ACTION_NAME).isEmpty();
            var name = isAction ? use.text(ACTION_NAME) : use.text(TRIGGER_NAME);
            var part = piece.path(isAction ? "actions" : "triggers").path(name);
            if (part.isMissingNode()) {
                throw FlowAccess.noPart(piece, isAction ? "actions" : "triggers", name);
            }
            var isAuthMissing = part.path("requireAuth").asBoolean()
                    && piece.hasNonNull("auth")
                    && !use.arguments().path(INPUT).hasNonNull("auth");
            return judged(part.path("props"), use.arguments().path(INPUT), isAuthMissing);
        });
    }

    private static ToolResult judged(JsonNode props, JsonNode input, boolean isAuthMissing) {
        var missing = Json.array();
        if (isAuthMissing) {
            missing.add("auth");
        }
        props.properties().forEach(prop -> {
            var isRequired = prop.getValue().path("required").asBoolean();
            if (isRequired && !input.hasNonNull(prop.getKey())) {
                missing.add(prop.getKey());
            }
        });
        var unknown = Json.array();
        input.properties().forEach(given -> {
            if (!props.has(given.getKey()) && !given.getKey().equals("auth")) {
                unknown.add(given.getKey());
            }
        });
        var json = Json.object().put("valid", missing.isEmpty() && unknown.isEmpty());
        json.set("missing", missing);
        json.set("unknown", unknown);
        if (missing.isEmpty() && unknown.isEmpty()) {
            return ToolResult.done("The inputs are complete.", json);
        }
        var reason = missing.isEmpty() ? "Some inputs are unknown." : "Inputs are missing.";
        return new ToolResult("\u26a0\ufe0f " + reason + "\n\n" + Json.text(json), false);
    }

    private Future<ToolResult> testFlow(Tool.Use use) {
        return flows.get(use)
                .compose(flow -> bus.ask(
                        new RunCommands.TestFlow(
                                use.projectId(), flow.version().id(), use.by().userIdOrNull()),
                        DEADLINE_MS))
                .compose(run -> ended(use, run));
    }

    private Future<ToolResult> testStep(Tool.Use use) {
        return flows.get(use)
                .compose(flow -> bus.ask(
                        new RunCommands.TestStep(
                                use.projectId(),
                                flow.version().id(),
                                use.text(STEP_NAME),
                                use.by().userIdOrNull()),
                        DEADLINE_MS))
                .compose(run -> ended(use, run));
    }

    private Future<ToolResult> retry(Tool.Use use) {
        var strategy = Optional.of(use.text(STRATEGY))
                .filter(text -> !text.isEmpty())
                .map(RetryStrategy::valueOf)
                .orElse(RetryStrategy.FROM_FAILED_STEP);
        return bus.ask(
                        new RunCommands.Retry(
                                use.projectId(),
                                use.text(RUN_ID),
                                strategy,
                                use.by().userIdOrNull()),
                        DEADLINE_MS)
                .compose(run -> ended(use, run));
    }

    private Future<ToolResult> ended(Tool.Use use, Run run) {
        return waits.end(use, run).map(json -> {
            var status = json.path("status").asText();
            var text = "The run ended " + status + ".";
            return status.equals("SUCCEEDED")
                    ? ToolResult.done(text, json)
                    : new ToolResult(
                            ToolResult.failed(text).text() + "\n\n"
                                    + ToolResult.json(json).text(),
                            true);
        });
    }
}
