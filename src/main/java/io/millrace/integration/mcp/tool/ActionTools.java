package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.engine.action.ActionRun;
import io.millrace.engine.action.ActionRuns;
import io.millrace.engine.run.RunStatus;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Tool that executes a single action without a flow (contract flows-and-engine 28.2); the run is recorded. */
final class ActionTools {
    private static final long DEADLINE_MS = 60_000;
    private static final String PIECE_NAME = "pieceName";
    private static final String ACTION_NAME = "actionName";
    private static final String INPUT = "input";
    private static final String CONNECTION = "connectionExternalId";
    private static final String AUTH = "auth";
    private static final int LOG_CHARACTERS_MAX = 2_000;

    private final Bus bus;
    private final FlowAccess flows;
    private final long waitMs;

    /** @param waitMs longest wait for an action, in milliseconds */
    ActionTools(Bus bus, FlowAccess flows, long waitMs) {
        this.bus = bus;
        this.flows = flows;
        this.waitMs = waitMs;
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
                                .compose(_ -> run(use, version)));
    }

    private static PieceScope scopeOf(Tool.Use use) {
        return PieceScope.of(use.by().platform());
    }

    private Future<ToolResult> run(Tool.Use use, String version) {
        var input = use.arguments().path(INPUT) instanceof ObjectNode given ? given : Json.object();
        var connection = Optional.of(use.text(CONNECTION)).filter(name -> !name.isEmpty());
        if (connection.isEmpty()) {
            return needsConnection(use, version, input)
                    .compose(needs -> needs
                            ? Future.succeededFuture(ToolResult.failed("MCP_PIECE_REQUIRES_CONNECTION: give "
                                    + CONNECTION + "; ap_discover_action_auth lists the connections"))
                            : done(use, version, input, connection));
        }
        return done(use, version, input, connection)
                .recover(failure -> isOfAnotherPiece(failure)
                        ? Future.succeededFuture(
                                ToolResult.failed("MCP_PIECE_CONNECTION_MISMATCH: the project has no connection "
                                        + connection.get() + " of " + use.text(PIECE_NAME)))
                        : Future.failedFuture(failure));
    }

    private static boolean isOfAnotherPiece(Throwable failure) {
        return failure instanceof ApiException refused
                && (refused.code() == ErrorCode.VALIDATION || refused.code() == ErrorCode.ENTITY_NOT_FOUND);
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

    /** An error of the action is a result for the model. */
    private Future<ToolResult> done(Tool.Use use, String version, ObjectNode input, Optional<String> connection) {
        var start = new ActionRuns.Start(
                use.by().platform(),
                use.projectId(),
                Optional.ofNullable(use.by().userIdOrNull()),
                new ActionRuns.Start.ActionCall(
                        use.text(PIECE_NAME), Optional.of(version), use.text(ACTION_NAME), input, connection),
                ActionRun.Origin.MCP,
                Optional.empty(),
                ActionRun.OnCrash.RETRY,
                Optional.empty());
        return bus.ask(start, DEADLINE_MS)
                .compose(run -> bus.ask(new ActionRuns.Await(run.run().id(), waitMs), waitMs + DEADLINE_MS))
                .map(ActionTools::result);
    }

    private static ToolResult result(ActionRun.Details run) {
        var status = run.run().status();
        if (!status.isTerminal()) {
            return ToolResult.failed(
                    "The action is still running: action run " + run.run().id());
        }
        if (status == RunStatus.TIMEOUT) {
            return ToolResult.failed("The action exceeded the time limit of a run.");
        }
        return status == RunStatus.SUCCEEDED
                ? logged(
                        run,
                        ToolResult.json(
                                DeepJson.trusted(run.output().orElseThrow().getBytes())))
                : logged(run, ToolResult.failed(run.run().failureText()));
    }

    /** The model learns which input values the action did not receive. */
    private static ToolResult logged(ActionRun.Details run, ToolResult result) {
        var lines = run.log()
                .map(text -> Json.trusted(text).path("standardError").asText())
                .orElse("");
        return lines.isEmpty()
                ? result
                : new ToolResult(
                        result.text() + "\n\nLog: " + ShownText.of(lines, LOG_CHARACTERS_MAX), result.isError());
    }
}
