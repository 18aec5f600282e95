package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.Note;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

final class FlowBuildingTools {
    private static final String FLOW_ID = FlowAccess.FLOW_ID;
    private static final String DISPLAY_NAME = "displayName";
    private static final String TRIGGER = "trigger";
    private static final String NOTE_ID = "noteId";
    private static final String OPERATION = "operation";

    private final FlowAccess flows;

    FlowBuildingTools(FlowAccess flows) {
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(
                writing(
                        "ap_create_flow",
                        "Create a flow",
                        "Creates an empty flow. It runs after it has a trigger and is published.",
                        ToolInput.none()
                                .text(DISPLAY_NAME, "Name of the flow.")
                                .text("folderName", "Folder of the flow; created if it does not exist.")
                                .requiring(DISPLAY_NAME),
                        this::create),
                writing(
                        "ap_build_flow",
                        "Build a whole flow",
                        "Creates a flow from a tree of steps in the format of ap_flow_structure, or replaces the steps"
                                + " of an existing flow.",
                        ToolInput.none()
                                .text(FLOW_ID, "Flow whose steps are replaced; default: a new flow.")
                                .text(DISPLAY_NAME, "Name of the flow.")
                                .object(TRIGGER, "The trigger, with the first step as nextAction.")
                                .requiring(DISPLAY_NAME, TRIGGER),
                        this::build),
                writing(
                        "ap_rename_flow",
                        "Rename a flow",
                        "Renames a flow.",
                        ofFlow().text(DISPLAY_NAME, "The new name.").requiring(DISPLAY_NAME),
                        use -> flows.apply(use, "CHANGE_NAME", Json.object().put(DISPLAY_NAME, use.text(DISPLAY_NAME)))
                                .map(flow -> changed("The flow was renamed.", flow))),
                writing(
                        "ap_duplicate_flow",
                        "Copy a flow",
                        "Creates a flow with the steps of another flow.",
                        ofFlow().text(DISPLAY_NAME, "Name of the copy."),
                        this::duplicate),
                tool(
                        "ap_delete_flow",
                        "Delete a flow",
                        "Deletes a flow with all its versions and runs. This cannot be undone.",
                        ofFlow(),
                        ToolSpec.Effect.DESTROYS,
                        use -> flows.delete(use).map(_ -> ToolResult.done("The flow was deleted."))),
                writing(
                        "ap_manage_notes",
                        "Manage notes",
                        "Adds, changes or deletes a note on the canvas of a flow.",
                        ofFlow().choice(OPERATION, "", "ADD", "UPDATE", "DELETE")
                                .text(NOTE_ID, "The note to change or to delete.")
                                .text("content", "Text of the note.")
                                .choice("color", "", colors())
                                .object("position", "Position: {x, y}.")
                                .object("size", "Size: {width, height}.")
                                .requiring(OPERATION),
                        this::note));
    }

    static ToolInput ofFlow() {
        return ToolInput.none().text(FLOW_ID, "Id of the flow.").requiring(FLOW_ID);
    }

    private static String[] colors() {
        return Arrays.stream(Note.Color.values()).map(Note.Color::word).toArray(String[]::new);
    }

    private static Tool writing(
            String name,
            String title,
            String description,
            ToolInput input,
            Function<Tool.Use, Future<ToolResult>> action) {
        return tool(name, title, description, input, ToolSpec.Effect.WRITES, action);
    }

    static Tool tool(
            String name,
            String title,
            String description,
            ToolInput input,
            ToolSpec.Effect effect,
            Function<Tool.Use, Future<ToolResult>> action) {
        return Tool.of(Permission.WRITE_FLOW, name, title, description, input, effect, action);
    }

    /** Result of a change: a summary without the whole tree. */
    static ToolResult changed(String text, Flows.FlowWithVersion flow) {
        var json = Json.object()
                .put(FLOW_ID, flow.flow().id())
                .put(DISPLAY_NAME, flow.version().displayName())
                .put("flowVersionId", flow.version().id())
                .put("valid", flow.version().valid());
        var steps = json.putArray("steps");
        flow.version()
                .steps()
                .steps()
                .forEach(step -> steps.addObject()
                        .put("name", step.base().name())
                        .put(DISPLAY_NAME, step.base().displayName())
                        .put("type", step.type().name())
                        .put("valid", step.base().valid()));
        return ToolResult.done(text, json);
    }

    private Future<ToolResult> create(Tool.Use use) {
        var folder = Optional.of(use.text("folderName")).filter(name -> !name.isBlank());
        return flows.create(use, folder).map(flow -> changed("The flow was created.", flow));
    }

    private Future<ToolResult> build(Tool.Use use) {
        var tree = (ObjectNode) use.arguments().get(TRIGGER);
        var content = content(use.text(DISPLAY_NAME), tree, Json.array());
        var built = use.text(FLOW_ID).isEmpty() ? flows.build(use, content) : flows.apply(use, "IMPORT_FLOW", content);
        return built.map(flow -> changed("The flow was built.", flow));
    }

    /** The request of an import. */
    private static ObjectNode content(String displayName, ObjectNode trigger, ArrayNode notes) {
        var tree = trigger.deepCopy();
        if (!tree.has("lastUpdatedDate")) {
            tree.put("lastUpdatedDate", "1970-01-01T00:00:00.000Z");
        }
        var request = Json.object().put(DISPLAY_NAME, displayName).put("schemaVersion", FlowVersion.SCHEMA_VERSION);
        request.set(TRIGGER, tree);
        request.set("notes", notes);
        return request;
    }

    /** The copy is in the same project, so it keeps the connections of the original; an import drops its samples. */
    private Future<ToolResult> duplicate(Tool.Use use) {
        return flows.get(use)
                .compose(original -> {
                    var version = original.version().toJson();
                    var named = use.text(DISPLAY_NAME);
                    var name = named.isBlank() ? original.version().displayName() + " Copy" : named;
                    return flows.build(use, content(name, version.withObject("/trigger"), version.withArray("/notes")));
                })
                .map(flow -> changed("The flow was copied.", flow));
    }

    private Future<ToolResult> note(Tool.Use use) {
        return switch (use.text(OPERATION)) {
            case "DELETE" ->
                flows.apply(use, "DELETE_NOTE", Json.object().put("id", use.text(NOTE_ID)))
                        .map(_ -> ToolResult.done("The note was deleted."));
            case "UPDATE" -> flows.get(use).compose(flow -> updateNote(use, flow));
            default -> {
                var note = written(use, emptyNote().put("id", Ids.next()));
                yield flows.apply(use, "ADD_NOTE", note)
                        .map(_ -> ToolResult.done(
                                "The note was added.", Json.object().put(NOTE_ID, idOf(note))));
            }
        };
    }

    private Future<ToolResult> updateNote(Tool.Use use, Flows.FlowWithVersion flow) {
        return flow.version().notes().stream()
                .map(Note::toJson)
                .filter(note -> idOf(note).equals(use.text(NOTE_ID)))
                .findFirst()
                .map(note -> flows.apply(use, "UPDATE_NOTE", written(use, note))
                        .map(_ -> ToolResult.done("The note was changed.")))
                .orElseGet(() -> Future.succeededFuture(ToolResult.failed("Not found: note " + use.text(NOTE_ID))));
    }

    private static String idOf(ObjectNode note) {
        return note.path("id").asText();
    }

    private static ObjectNode emptyNote() {
        var note = Json.object().put("content", "").put("color", Note.Color.BLUE.word());
        note.putObject("position").put("x", 0).put("y", 0);
        note.putObject("size").put("width", 200).put("height", 150);
        return note;
    }

    private static ObjectNode written(Tool.Use use, ObjectNode note) {
        for (var field : List.of("content", "color", "position", "size")) {
            if (use.arguments().hasNonNull(field)) {
                note.set(field, use.arguments().get(field));
            }
        }
        return note;
    }
}
