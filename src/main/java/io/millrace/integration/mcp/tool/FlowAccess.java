package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flow;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Optional;

/** Access of tools to flows, restricted to the project of the call. */
final class FlowAccess {
    static final String FLOW_ID = "flowId";

    private static final String DISPLAY_NAME = "displayName";

    /** Publishing runs hooks of the trigger, which may take their time. */
    private static final long DEADLINE_MS = 200_000;

    private final Bus bus;

    FlowAccess(Bus bus) {
        this.bus = bus;
    }

    Future<Flows.FlowWithVersion> get(Tool.Use use) {
        return own(use, use.text(FLOW_ID))
                .compose(_ -> bus.ask(new Flows.Get(use.text(FLOW_ID), Optional.empty()), DEADLINE_MS));
    }

    /** Fails with ENTITY_NOT_FOUND for a flow of another project, as for an unknown one. */
    private Future<Void> own(Tool.Use use, String flowId) {
        return bus.ask(new Flows.ProjectOf(flowId), DEADLINE_MS).map(projectId -> {
            if (!projectId.equals(use.projectId())) {
                throw ApiException.notFound("flow", flowId);
            }
            return null;
        });
    }

    Future<Flows.FlowWithVersion> create(Tool.Use use, Optional<String> folderName) {
        return bus.ask(creation(use, use.text(DISPLAY_NAME), folderName), DEADLINE_MS);
    }

    /**
     * Creates a flow with its steps; refused content leaves no flow.
     *
     * @param content request of IMPORT_FLOW
     */
    Future<Flows.FlowWithVersion> build(Tool.Use use, ObjectNode content) {
        var creation = creation(use, content.path(DISPLAY_NAME).asText(), Optional.empty());
        return bus.ask(Flows.Build.of(creation, content), DEADLINE_MS);
    }

    private static Flows.Create creation(Tool.Use use, String displayName, Optional<String> folderName) {
        return new Flows.Create(
                use.by(),
                use.projectId(),
                displayName,
                null,
                null,
                Optional.empty(),
                folderName,
                new Flow.Creator(Flow.CreatorType.MCP, use.serverId()));
    }

    Future<Void> delete(Tool.Use use) {
        var flowId = use.text(FLOW_ID);
        return own(use, flowId)
                .compose(_ -> bus.ask(new Flows.Delete(use.by(), flowId), DEADLINE_MS))
                .mapEmpty();
    }

    Future<Flows.FlowWithVersion> apply(Tool.Use use, String type, ObjectNode request) {
        return apply(use, use.text(FLOW_ID), type, request);
    }

    Future<Flows.FlowWithVersion> apply(Tool.Use use, String flowId, String type, ObjectNode request) {
        var operation = Json.object().put("type", type);
        operation.set("request", request);
        return own(use, flowId).compose(_ -> bus.ask(new Flows.Apply(use.by(), flowId, operation), DEADLINE_MS));
    }

    /** The version that a call names, else the newest of the piece. */
    Future<String> pieceVersion(Tool.Use use) {
        var named = use.text("pieceVersion");
        var scope = PieceScope.of(use.by().platform());
        return named.isEmpty()
                ? bus.ask(new Pieces.FindVersions(scope, use.text("pieceName")), DEADLINE_MS)
                        .map(versions -> versions.getFirst())
                : Future.succeededFuture(named);
    }

    Future<Flows.Verdict> judge(Tool.Use use) {
        return own(use, use.text(FLOW_ID)).compose(_ -> bus.ask(new Flows.Judge(use.text(FLOW_ID)), DEADLINE_MS));
    }

    /**
     * Default values of an editor before any input; refused for an unknown action or trigger.
     *
     * @param kind {@code actions} or {@code triggers}
     */
    Future<ObjectNode> defaults(Tool.Use use, String version, String kind, String name) {
        return piece(use, use.text("pieceName"), version).map(piece -> {
            if (!piece.path(kind).has(name)) {
                throw noPart(piece, kind, name);
            }
            var input = Json.object();
            piece.path(kind).path(name).path("props").properties().forEach(prop -> {
                if (prop.getValue().hasNonNull("defaultValue")) {
                    input.set(prop.getKey(), prop.getValue().get("defaultValue"));
                }
            });
            return input;
        });
    }

    private Future<ObjectNode> piece(Tool.Use use, String name, String version) {
        var scope = PieceScope.of(use.by().platform());
        return bus.ask(new Pieces.Get(scope, name, Optional.of(version), Optional.empty()), DEADLINE_MS);
    }

    Future<Void> checkAction(Tool.Use use, String pieceName, String version, String action) {
        return piece(use, pieceName, version).map(piece -> {
            if (!piece.path("actions").has(action)) {
                throw noPart(piece, "actions", action);
            }
            return null;
        });
    }

    static ApiException noPart(JsonNode piece, String kind, String name) {
        var known = new ArrayList<String>();
        piece.path(kind).fieldNames().forEachRemaining(known::add);
        return ApiException.of(
                ErrorCode.FLOW_OPERATION_INVALID,
                "expected one of the " + kind + " " + String.join(", ", known) + " of "
                        + piece.path("name").asText() + ", found " + (name.isEmpty() ? "none" : name));
    }

    static ObjectNode structure(Flows.FlowWithVersion flow) {
        var version = flow.version();
        var json = Json.object()
                .put(FLOW_ID, flow.flow().id())
                .put(DISPLAY_NAME, version.displayName())
                .put("status", flow.flow().status().name())
                .put("isPublished", flow.flow().publishedVersionId() != null)
                .put("flowVersionId", version.id())
                .put("state", version.state().name())
                .put("valid", version.valid());
        json.set("trigger", version.toJson().path("trigger"));
        json.set("notes", version.toJson().path("notes"));
        return json;
    }

    static ObjectNode step(Flows.FlowWithVersion flow, String name) {
        var found = find(flow.version().toJson().path("trigger"), name);
        if (found == null) {
            throw ApiException.of(
                    ErrorCode.ENTITY_NOT_FOUND,
                    Json.object().put("entityType", "step").put("entityId", name));
        }
        return found;
    }

    private static ObjectNode find(JsonNode root, String name) {
        var waiting = new ArrayDeque<JsonNode>();
        waiting.add(root);
        while (!waiting.isEmpty()) {
            var step = waiting.poll();
            if (!step.isObject()) {
                continue;
            }
            if (step.path("name").asText().equals(name)) {
                return ((ObjectNode) step).deepCopy();
            }
            waiting.add(step.path("nextAction"));
            waiting.add(step.path("firstLoopAction"));
            step.path("children").forEach(waiting::add);
            step.path("continueOnFailureBranches").forEach(waiting::add);
        }
        return null;
    }
}
