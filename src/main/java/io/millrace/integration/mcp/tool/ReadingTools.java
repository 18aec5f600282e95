package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.integration.mcp.protocol.RpcFailure;
import io.millrace.piece.catalogue.PieceQuery;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.ConnectionFilter;
import io.millrace.workspace.connection.ConnectionView;
import io.millrace.workspace.connection.Connections;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

final class ReadingTools {
    private static final long DEADLINE_MS = 30_000;
    private static final int PAGE_LIMIT = 50;
    private static final String NAME = "name";
    private static final String PIECE_NAME = "pieceName";
    private static final String STATUS = "status";
    private static final String CURSOR = "cursor";

    private final Bus bus;
    private final FlowAccess flows;

    ReadingTools(Bus bus, FlowAccess flows) {
        this.bus = bus;
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(
                reading(
                        "ap_list_flows",
                        "List flows",
                        "Lists the flows of the project with their status.",
                        paged(ToolInput.none()
                                .text(NAME, "Part of the flow's name.")
                                .choice(STATUS, "", FlowStatus.class)),
                        Permission.READ_FLOW,
                        this::listFlows),
                reading(
                        "ap_flow_structure",
                        "Show a flow",
                        "Shows the latest version of a flow: its trigger and steps with their settings, as a tree.",
                        ToolInput.none()
                                .text(FlowAccess.FLOW_ID, "Id of the flow.")
                                .requiring(FlowAccess.FLOW_ID),
                        Permission.READ_FLOW,
                        use -> flows.get(use).map(FlowAccess::structure).map(ToolResult::json)),
                reading(
                        "ap_list_pieces",
                        "List pieces",
                        "Lists the pieces for steps. With the name of a piece it returns its triggers and actions"
                                + " with all their inputs.",
                        ToolInput.none()
                                .text("query", "Search words for pieces, actions and triggers.")
                                .text(PIECE_NAME, "One piece, for example @activepieces/piece-http."),
                        Permission.READ_FLOW,
                        this::listPieces),
                reading(
                        "ap_list_connections",
                        "List connections",
                        "Lists the project's connections to apps. A step uses one by its input auth, with the value of"
                                + " the field reference.",
                        paged(ToolInput.none()
                                .text(PIECE_NAME, "Only connections of this piece.")
                                .text(NAME, "Part of the connection's name.")
                                .choice(STATUS, "", ConnectionStatus.class)),
                        Permission.READ_APP_CONNECTION,
                        this::listConnections),
                reading(
                        "ap_discover_action_auth",
                        "List connections for a piece",
                        "Returns the authentication type of a piece and the connections of the project that it can use.",
                        ToolInput.none().text(PIECE_NAME, "Name of the piece.").requiring(PIECE_NAME),
                        Permission.READ_APP_CONNECTION,
                        this::discoverAuth),
                reading(
                        "ap_setup_guide",
                        "Setup guide",
                        "Explains how to build flows with these tools and which steps need a person.",
                        ToolInput.none(),
                        null,
                        _ -> Future.succeededFuture(new ToolResult(GUIDE, false))));
    }

    private static final String GUIDE = """
            How a flow is built:
            1. ap_create_flow makes an empty flow; ap_list_pieces with a piece's name shows what its steps take.
            2. ap_update_trigger says what starts the flow. Webhook, Schedule and MCP Tool need no connection.
            3. ap_add_step adds the steps, one after the other. A step reads what an earlier one put out as
               {{step_1['output']['field']}}, and the trigger as {{trigger['output']['field']}}.
            4. ap_validate_flow says what is missing; ap_test_flow and ap_test_step try it out.
            5. ap_lock_and_publish makes the flow take effect.

            Only a person can make connections: in the web console, under Connections. ap_list_connections shows those
            that exist; a step uses one by its input auth.
            """;

    private static Tool reading(
            String name,
            String title,
            String description,
            ToolInput input,
            Permission permission,
            Function<Tool.Use, Future<ToolResult>> action) {
        return Tool.of(permission, name, title, description, input, ToolSpec.Effect.READS, action);
    }

    private static ToolInput paged(ToolInput input) {
        return input.text(CURSOR, "Value of the field next of the previous page.");
    }

    private static PageRequest page(Tool.Use use) {
        return PageRequest.parse(PAGE_LIMIT, use.arguments().path(CURSOR).textValue())
                .orElseThrow(() -> RpcFailure.invalidParams("Invalid params: expected a cursor of this server"));
    }

    private static <T> ToolResult list(String name, Page<T> page, Function<T, ObjectNode> toJson) {
        var json = Json.object();
        var rows = json.putArray(name);
        page.data().forEach(row -> rows.add(toJson.apply(row)));
        return ToolResult.json(json.put("next", page.next()));
    }

    private static Optional<String> given(Tool.Use use, String name) {
        return Optional.of(use.text(name)).filter(text -> !text.isBlank());
    }

    private Future<ToolResult> listFlows(Tool.Use use) {
        var filter = new Flows.Filter(
                use.projectId(),
                given(use, STATUS).map(FlowStatus::valueOf).stream().toList(),
                given(use, NAME),
                List.of(),
                new Flows.Filter.UsedObjects(List.of(), List.of()),
                List.of(),
                false,
                Flows.VersionChoice.DRAFT);
        return bus.ask(new Flows.Find(filter, page(use)), DEADLINE_MS)
                .map(page -> list("flows", page, ReadingTools::summary));
    }

    private static ObjectNode summary(Flows.FlowWithVersion flow) {
        var json = Json.object()
                .put(FlowAccess.FLOW_ID, flow.flow().id())
                .put("displayName", flow.version().displayName())
                .put(STATUS, flow.flow().status().name())
                .put("isPublished", flow.flow().publishedVersionId() != null)
                .put("valid", flow.version().valid())
                .put("steps", flow.version().steps().steps().size())
                .put("updated", Json.timestamp(flow.version().updated()));
        json.set("trigger", flow.version().toJson().at("/trigger/settings/triggerName"));
        return json;
    }

    private Future<ToolResult> listPieces(Tool.Use use) {
        var scope = PieceScope.of(use.by().platform());
        var pieceName = given(use, PIECE_NAME);
        if (pieceName.isPresent()) {
            return bus.ask(new Pieces.Get(scope, pieceName.get(), Optional.empty(), Optional.empty()), DEADLINE_MS)
                    .map(ToolResult::json);
        }
        var query =
                new PieceQuery(use.text("query"), Set.of(), null, null, PieceQuery.SuggestionType.ACTION_AND_TRIGGER);
        return bus.ask(new Pieces.Find(query, scope, Optional.of(use.projectId()), Pieces.Extras.NONE), DEADLINE_MS)
                .map(found -> {
                    var pieces = Json.array();
                    found.forEach(piece -> pieces.add(brief(piece)));
                    var json = Json.object();
                    json.set("pieces", pieces);
                    return ToolResult.json(json);
                });
    }

    private static ObjectNode brief(JsonNode piece) {
        var json = Json.object()
                .put(PIECE_NAME, piece.path(NAME).asText())
                .put("displayName", piece.path("displayName").asText())
                .put("description", piece.path("description").asText())
                .put("version", piece.path("version").asText());
        names(json, "actions", piece.path("suggestedActions"));
        names(json, "triggers", piece.path("suggestedTriggers"));
        return json;
    }

    private static void names(ObjectNode json, String field, JsonNode parts) {
        var names = json.putArray(field);
        parts.forEach(part -> names.add(part.path(NAME).asText()));
    }

    private Future<Page<ConnectionView>> connections(Tool.Use use, Optional<String> pieceName, PageRequest page) {
        var filter = new ConnectionFilter(
                Optional.empty(),
                pieceName,
                given(use, NAME),
                given(use, STATUS).map(ConnectionStatus::valueOf).stream().toList(),
                List.of(),
                List.of());
        return bus.ask(new Connections.ListOf(use.projectId(), filter, page), DEADLINE_MS);
    }

    private Future<ToolResult> listConnections(Tool.Use use) {
        return connections(use, given(use, PIECE_NAME), page(use))
                .map(page -> list("connections", page, ReadingTools::connection));
    }

    private static ObjectNode connection(ConnectionView view) {
        var connection = view.connection();
        return Json.object()
                .put("id", connection.id())
                .put("externalId", connection.externalId())
                .put("displayName", connection.displayName())
                .put(PIECE_NAME, connection.pieceName())
                .put("type", connection.type().name())
                .put(STATUS, connection.status().name())
                .put("reference", "{{connections['" + connection.externalId() + "']}}");
    }

    private Future<ToolResult> discoverAuth(Tool.Use use) {
        var pieceName = use.text(PIECE_NAME);
        var ask = new Pieces.FindAuth(PieceScope.of(use.by().platform()), pieceName, Optional.empty());
        return bus.ask(ask, DEADLINE_MS)
                .compose(auth -> connections(use, Optional.of(pieceName), new PageRequest(PAGE_LIMIT, null, false))
                        .map(page -> {
                            var json =
                                    Json.object().put(PIECE_NAME, auth.name()).put("version", auth.version());
                            json.put(
                                    "needsConnection",
                                    auth.definition() != null
                                            && !auth.definition().isNull());
                            json.set("auth", auth.definition());
                            var usable = json.putArray("connections");
                            page.data().forEach(view -> usable.add(connection(view)));
                            return ToolResult.json(json);
                        }));
    }
}
