package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.PageRequest;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.ConnectionFilter;
import io.millrace.workspace.connection.Connections;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Tool that executes a single action without a flow (contract flows-and-engine 28.2). */
final class ActionTools {
    private static final long DEADLINE_MS = 60_000;
    private static final String PIECE_NAME = "pieceName";
    private static final String ACTION_NAME = "actionName";
    private static final String INPUT = "input";
    private static final String CONNECTION = "connectionExternalId";
    private static final String AUTH = "auth";

    private final Bus bus;
    private final FlowAccess flows;
    private final SingleActions actions;

    ActionTools(Bus bus, FlowAccess flows, SingleActions actions) {
        this.bus = bus;
        this.flows = flows;
        this.actions = actions;
    }

    List<Tool> all() {
        return List.of(new Tool(
                new ToolSpec(
                        "ap_run_action",
                        "Run an action",
                        "Runs one action of a piece outside a flow, with a connection of the project if the piece needs one.",
                        ToolInput.none()
                                .text(PIECE_NAME, "Name of the piece, for example @activepieces/piece-http.")
                                .text("pieceVersion", "Exact version; default: the newest.")
                                .text(ACTION_NAME, "Name of the action.")
                                .object(INPUT, "Inputs by name.")
                                .text(CONNECTION, "External id of the connection, from ap_list_connections.")
                                .requiring(PIECE_NAME, ACTION_NAME),
                        Permission.WRITE_FLOW,
                        ToolSpec.Effect.DESTROYS),
                this::run));
    }

    private Future<ToolResult> run(Tool.Use use) {
        return flows.pieceVersion(use)
                .compose(
                        version -> bus.ask(new Pieces.Provide(scopeOf(use), use.text(PIECE_NAME), version), DEADLINE_MS)
                                .compose(_ -> flows.defaults(use, version, "actions", use.text(ACTION_NAME)))
                                .compose(defaults -> run(use, version, defaults)));
    }

    private static PieceScope scopeOf(Tool.Use use) {
        return PieceScope.of(use.by().platform());
    }

    private Future<ToolResult> run(Tool.Use use, String version, ObjectNode input) {
        if (use.arguments().path(INPUT) instanceof ObjectNode given) {
            input.setAll(given);
        }
        var externalId = use.text(CONNECTION);
        if (externalId.isEmpty()) {
            return needsConnection(use, version, input)
                    .compose(needs -> needs
                            ? Future.succeededFuture(ToolResult.failed("MCP_PIECE_REQUIRES_CONNECTION: give "
                                    + CONNECTION + "; ap_discover_action_auth lists the connections"))
                            : done(use, version, input));
        }
        return isOfPiece(use, externalId)
                .compose(isOfPiece -> isOfPiece
                        ? done(use, version, input.put(AUTH, "{{connections['" + externalId + "']}}"))
                        : Future.succeededFuture(
                                ToolResult.failed("MCP_PIECE_CONNECTION_MISMATCH: the project has no connection "
                                        + externalId + " of " + use.text(PIECE_NAME))));
    }

    private Future<Boolean> needsConnection(Tool.Use use, String version, ObjectNode input) {
        var get = new Pieces.Get(scopeOf(use), use.text(PIECE_NAME), Optional.of(version), Optional.empty());
        return bus.ask(get, DEADLINE_MS)
                .map(piece -> piece.hasNonNull(AUTH)
                        && !input.hasNonNull(AUTH)
                        && piece.path("actions")
                                .path(use.text(ACTION_NAME))
                                .path("requireAuth")
                                .asBoolean());
    }

    private Future<Boolean> isOfPiece(Tool.Use use, String externalId) {
        var filter = new ConnectionFilter(
                Optional.empty(), Optional.of(use.text(PIECE_NAME)), Optional.empty(), List.of(), List.of(), List.of());
        var page = new PageRequest(PageRequest.LIMIT_MAX, null, false);
        return bus.ask(new Connections.ListOf(use.projectId(), filter, page), DEADLINE_MS)
                .map(found -> found.data().stream()
                        .anyMatch(view -> view.connection().externalId().equals(externalId)));
    }

    /** Runs the action; its error is a result for the model. */
    private Future<ToolResult> done(Tool.Use use, String version, ObjectNode input) {
        return actions.run(new SingleActions.Parameters(
                        scopeOf(use), use.projectId(), use.text(PIECE_NAME), version, use.text(ACTION_NAME), input))
                .map(ToolResult::json)
                .recover(failure -> switch (failure) {
                    case PieceFailure refused -> Future.succeededFuture(ToolResult.failed(refused.getMessage()));
                    case TimeoutException _ ->
                        Future.succeededFuture(ToolResult.failed("The action exceeded the time limit of a run."));
                    default -> Future.failedFuture(failure);
                });
    }
}
