package io.millrace.piece.builtin.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.vertx.core.Future;
import java.util.List;

/** Connections: reads one of the project whose name is known only when the flow runs (contract pieces 14.2). */
public final class ConnectionsPiece {
    private ConnectionsPiece() {}

    public static Piece create() {
        var props = Props.of(
                Props.named(
                        "info",
                        Props.markdown(
                                "Only for connections that are not known beforehand, for example because a webhook names"
                                        + " them. The value is part of the step's output, for everybody who may read"
                                        + " the run.",
                                "WARNING")),
                Props.named("connection_name", Props.shortText("Connection Name", true)));
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "connections",
                        "Connections",
                        "Reads connections by their names.",
                        "new-core/connections.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.5.0", "0.4.3", "0.3.0")),
                List.of(new ContextAction(
                        new ActionSpec(
                                "read_connection",
                                "Read Connection",
                                "Reads a connection by its name.",
                                props,
                                true,
                                true,
                                false),
                        ConnectionsPiece::read)),
                List.of());
    }

    private static Future<JsonNode> read(StepContext context) {
        var name = context.props().path("connection_name").asText("");
        return context.connection(name).recover(failure -> Future.failedFuture(refused(failure, name)));
    }

    private static Throwable refused(Throwable failure, String name) {
        if (!(failure instanceof PieceFailure refused)) {
            return failure;
        }
        var text = Json.object().put("message", message(refused)).put("connectionName", name);
        return PieceFailure.of(Json.pretty(text), refused.details());
    }

    private static String message(PieceFailure refused) {
        return switch (refused.details().path("errorName").asText()) {
            case "ConnectionNotFound" -> "Connection not found";
            case "ConnectionExpired" -> "Connection expired, reconnect it";
            default -> "Connection could not be loaded";
        };
    }
}
