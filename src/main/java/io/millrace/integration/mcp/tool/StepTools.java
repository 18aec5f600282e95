package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.Placement;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.List;

final class StepTools {
    private static final String STEP_NAME = "stepName";
    private static final String DISPLAY_NAME = "displayName";
    private static final String SETTINGS = "settings";
    private static final String INPUT = "input";
    private static final String PARENT = "parentStepName";
    private static final String LOCATION = "location";
    private static final String TYPE = "stepType";
    private static final String PIECE = "PIECE";
    private static final String TRIGGER_NAME = "triggerName";

    private final FlowAccess flows;

    StepTools(FlowAccess flows) {
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(
                FlowBuildingTools.tool(
                        "ap_update_trigger",
                        "Set the trigger",
                        "Sets the trigger of a flow. Omitted inputs keep the values of the former trigger if"
                                + " it was the same trigger.",
                        FlowBuildingTools.ofFlow()
                                .text("pieceName", "Name of the piece, for example @activepieces/piece-webhook.")
                                .text("pieceVersion", "Exact version; default: the newest.")
                                .text(TRIGGER_NAME, "Name of the trigger, for example catch_webhook.")
                                .text(DISPLAY_NAME, "Name of the step.")
                                .object(INPUT, "Inputs of the trigger by name.")
                                .requiring("pieceName", TRIGGER_NAME),
                        ToolSpec.Effect.WRITES,
                        this::updateTrigger),
                FlowBuildingTools.tool(
                        "ap_add_step",
                        "Add a step",
                        "Adds a step to a flow, after another step or inside a loop or a branch.",
                        settings(FlowBuildingTools.ofFlow()
                                        .text(
                                                PARENT,
                                                "Step after which or inside which it is added; trigger for the first.")
                                        .choice(LOCATION, "Position; default AFTER.", Placement.class)
                                        .whole("branchIndex", "Index of the router's branch, from 0.")
                                        .choice(TYPE, "", PIECE, "CODE", "LOOP_ON_ITEMS", "ROUTER")
                                        .text(STEP_NAME, "Its name in expressions; default: step_1, step_2 …"))
                                .requiring(PARENT, TYPE),
                        ToolSpec.Effect.WRITES,
                        this::addStep),
                FlowBuildingTools.tool(
                        "ap_update_step",
                        "Change a step",
                        "Updates the given values of a step; the others stay. Inputs are merged by name.",
                        settings(FlowBuildingTools.ofFlow().text(STEP_NAME, "The step to change."))
                                .flag("skip", "Whether runs skip the step.")
                                .requiring(STEP_NAME),
                        ToolSpec.Effect.WRITES,
                        this::updateStep),
                FlowBuildingTools.tool(
                        "ap_delete_step",
                        "Delete a step",
                        "Deletes a step with everything inside it.",
                        FlowBuildingTools.ofFlow()
                                .text(STEP_NAME, "The step to delete.")
                                .requiring(STEP_NAME),
                        ToolSpec.Effect.DESTROYS,
                        this::deleteStep));
    }

    private static ToolInput settings(ToolInput input) {
        return input.text(DISPLAY_NAME, "Display name of the step.")
                .text("pieceName", "PIECE: name of the piece.")
                .text("pieceVersion", "PIECE: exact version; default: the newest.")
                .text("actionName", "PIECE: name of the action.")
                .object(INPUT, "PIECE and CODE: inputs by name.")
                .text("sourceCode", "CODE: a module that exports the function code, which takes the inputs.")
                .text("packageJson", "CODE: content of its package.json.")
                .text("items", "LOOP_ON_ITEMS: expression of the list to walk, for example {{step_1['output']}}.")
                .choice("executionType", "ROUTER: which branches run.", "EXECUTE_FIRST_MATCH", "EXECUTE_ALL_MATCH")
                .flag("continueOnFailure", "PIECE and CODE: continue on failure.")
                .flag("retryOnFailure", "PIECE and CODE: retry on failure.");
    }

    private Future<ToolResult> updateTrigger(Tool.Use use) {
        return flows.get(use)
                .compose(flow -> flows.pieceVersion(use)
                        .compose(version -> flows.defaults(use, version, "triggers", use.text(TRIGGER_NAME))
                                .map(defaults -> trigger(use, flow, version, defaults))))
                .compose(trigger -> flows.apply(use, "UPDATE_TRIGGER", trigger))
                .map(flow -> FlowBuildingTools.changed("The trigger was set.", flow));
    }

    private static ObjectNode trigger(Tool.Use use, Flows.FlowWithVersion flow, String version, ObjectNode defaults) {
        var before = flow.version().toJson().path("trigger");
        var isSame = before.at("/settings/pieceName").asText().equals(use.text("pieceName"))
                && before.at("/settings/triggerName").asText().equals(use.text(TRIGGER_NAME));
        var trigger = Json.object()
                .put("type", "PIECE_TRIGGER")
                .put("name", before.path("name").asText("trigger"))
                .put(DISPLAY_NAME, given(use, DISPLAY_NAME, use.text(TRIGGER_NAME)))
                .put("valid", true);
        var settings = trigger.putObject(SETTINGS)
                .put("pieceName", use.text("pieceName"))
                .put("pieceVersion", version)
                .put(TRIGGER_NAME, use.text(TRIGGER_NAME));
        settings.putObject("propertySettings");
        var input = settings.putObject(INPUT);
        input.setAll(defaults);
        if (isSame && before.at("/settings/input") instanceof ObjectNode kept) {
            input.setAll(kept);
        }
        merge(input, use);
        return trigger;
    }

    private static String given(Tool.Use use, String name, String otherwise) {
        return use.text(name).isBlank() ? otherwise : use.text(name);
    }

    private static void merge(ObjectNode input, Tool.Use use) {
        if (use.arguments().path(INPUT) instanceof ObjectNode given) {
            input.setAll(given);
        }
    }

    private Future<ToolResult> addStep(Tool.Use use) {
        var type = use.text(TYPE);
        return flows.get(use)
                .compose(flow -> {
                    checkPlace(use, flow);
                    return type.equals(PIECE) ? newPieceStep(use, flow) : newStep(use, flow, type);
                })
                .compose(action -> flows.apply(use, "ADD_ACTION", placed(use, action)))
                .map(flow -> FlowBuildingTools.changed("The step was added.", flow));
    }

    /**
     * Refuses an invalid place of a step. Operations ignore an unknown parent, and add a step after a parent that cannot
     * contain steps. A model would take that for success, so here both are refused (decision 0406).
     */
    private static void checkPlace(Tool.Use use, Flows.FlowWithVersion flow) {
        var type = FlowAccess.step(flow, use.text(PARENT)).path("type").asText();
        var isAstray = switch (use.text(LOCATION)) {
            case "INSIDE_LOOP" -> !type.equals("LOOP_ON_ITEMS");
            case "INSIDE_BRANCH" -> !type.equals("ROUTER");
            default -> false;
        };
        if (isAstray) {
            throw StepTree.refusal(
                    "step " + use.text(PARENT) + " of type " + type + " takes no step at " + use.text(LOCATION));
        }
    }

    private static ObjectNode placed(Tool.Use use, ObjectNode action) {
        var request = Json.object()
                .put("parentStep", use.text(PARENT))
                .put("stepLocationRelativeToParent", given(use, LOCATION, Placement.AFTER.name()));
        if (use.arguments().hasNonNull("branchIndex")) {
            request.set("branchIndex", use.arguments().get("branchIndex"));
        }
        request.set("action", action);
        return request;
    }

    private Future<ObjectNode> newPieceStep(Tool.Use use, Flows.FlowWithVersion flow) {
        return flows.pieceVersion(use)
                .compose(version -> flows.defaults(use, version, "actions", use.text("actionName"))
                        .map(defaults -> newStep(use, flow, PIECE, version, defaults)));
    }

    private static Future<ObjectNode> newStep(Tool.Use use, Flows.FlowWithVersion flow, String type) {
        return Future.succeededFuture(newStep(use, flow, type, "", Json.object()));
    }

    private static ObjectNode newStep(
            Tool.Use use, Flows.FlowWithVersion flow, String type, String pieceVersion, ObjectNode defaults) {
        var name = given(use, STEP_NAME, flow.version().steps().freeName());
        var action = Json.object()
                .put("type", type)
                .put("name", name)
                .put(DISPLAY_NAME, given(use, DISPLAY_NAME, name))
                .put("valid", true);
        var settings = action.putObject(SETTINGS);
        switch (type) {
            case PIECE -> {
                settings.put("pieceVersion", pieceVersion).putObject("propertySettings");
                settings.putObject(INPUT).setAll(defaults);
            }
            case "CODE" -> {
                settings.putObject(INPUT);
                settings.putObject("sourceCode").put("code", "").put("packageJson", "{}");
            }
            case "ROUTER" -> BranchTools.addFirstBranches(settings.put("executionType", "EXECUTE_FIRST_MATCH"));
            default -> settings.put("items", "");
        }
        write(settings, use);
        return action;
    }

    /** The reader of operations validates the settings for each kind of step. */
    private static void write(ObjectNode settings, Tool.Use use) {
        for (var field : List.of("pieceName", "pieceVersion", "actionName", "items", "executionType")) {
            if (use.arguments().hasNonNull(field)) {
                settings.set(field, use.arguments().get(field));
            }
        }
        if (settings.path(INPUT) instanceof ObjectNode input) {
            merge(input, use);
        }
        if (settings.path("sourceCode") instanceof ObjectNode source) {
            source.put("code", given(use, "sourceCode", source.path("code").asText()));
            source.put(
                    "packageJson",
                    given(use, "packageJson", source.path("packageJson").asText("{}")));
        }
        for (var option : List.of("continueOnFailure", "retryOnFailure")) {
            if (use.arguments().hasNonNull(option)) {
                settings.withObject("/errorHandlingOptions/" + option)
                        .set("value", use.arguments().get(option));
            }
        }
    }

    private Future<ToolResult> updateStep(Tool.Use use) {
        return flows.get(use)
                .compose(flow -> knownAction(use, flow))
                .map(flow -> {
                    var step = FlowAccess.step(flow, use.text(STEP_NAME));
                    write((ObjectNode) step.get(SETTINGS), use);
                    step.put(
                            DISPLAY_NAME,
                            given(use, DISPLAY_NAME, step.path(DISPLAY_NAME).asText()));
                    if (use.arguments().hasNonNull("skip")) {
                        step.set("skip", use.arguments().get("skip"));
                    }
                    return step.put("valid", true);
                })
                .compose(step -> flows.apply(use, "UPDATE_ACTION", step))
                .map(flow -> FlowBuildingTools.changed("The step was changed.", flow));
    }

    private Future<Flows.FlowWithVersion> knownAction(Tool.Use use, Flows.FlowWithVersion flow) {
        var step = FlowAccess.step(flow, use.text(STEP_NAME));
        if (use.text("actionName").isEmpty() || !step.path("type").asText().equals(PIECE)) {
            return Future.succeededFuture(flow);
        }
        var settings = step.path(SETTINGS);
        var piece = given(use, "pieceName", settings.path("pieceName").asText());
        var version = given(use, "pieceVersion", settings.path("pieceVersion").asText());
        return flows.checkAction(use, piece, version, use.text("actionName")).map(flow);
    }

    private Future<ToolResult> deleteStep(Tool.Use use) {
        var request = Json.object();
        request.putArray("names").add(use.text(STEP_NAME));
        return flows.get(use)
                .map(flow -> FlowAccess.step(flow, use.text(STEP_NAME)))
                .compose(_ -> flows.apply(use, "DELETE_ACTION", request))
                .map(flow -> FlowBuildingTools.changed("The step was deleted.", flow));
    }
}
