package io.millrace.engine.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.support.TestServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Piece whose actions a test observes and holds, and requests for its actions. */
final class ActionRunBench {
    static final String RUN = "/v1/actions/run";
    static final String RUNS = "/v1/actions/runs";
    static final String PIECE = "@activepieces/piece-bench";
    static final String SECRET = "a-very-secret-key";

    final List<String> keys = new CopyOnWriteArrayList<>();
    final List<Promise<JsonNode>> held = new CopyOnWriteArrayList<>();

    Piece piece() {
        var auth = Json.object()
                .put("type", "SECRET_TEXT")
                .put("displayName", "Key")
                .put("required", true);
        var plain = BuiltinPiece.spec("bench", "Bench", "For tests.", "bench.svg", List.of(), List.of("1.2.0"));
        var spec = new PieceSpec(
                plain.name(),
                plain.displayName(),
                plain.description(),
                plain.logoUrl(),
                plain.authors(),
                plain.categories(),
                plain.versions(),
                auth);
        var echo = Props.of(
                Props.named("text", Props.shortText("Text", true)),
                Props.named(
                        "times",
                        Property.of(PropertyType.NUMBER, "Times", false).defaultingTo(IntNode.valueOf(1))),
                Props.named("token", Property.of(PropertyType.SECRET_TEXT, "Token", false)));
        return BuiltinPiece.of(
                spec,
                List.of(
                        action("echo", echo, false, context -> {
                            keys.add(context.idempotencyKey());
                            return Future.succeededFuture(context.props());
                        }),
                        action(
                                "fail",
                                Map.of(),
                                true,
                                context -> Future.failedFuture(PieceFailure.of("refused "
                                        + context.auth()
                                                .orElseThrow()
                                                .path("secret_text")
                                                .asText()))),
                        action("break", Map.of(), false, _ -> {
                            throw new IllegalStateException("a defect");
                        }),
                        action(
                                "large",
                                Map.of(),
                                false,
                                _ -> Future.succeededFuture(TextNode.valueOf("x".repeat(3 << 20)))),
                        action("hold", Map.of(), false, context -> {
                            keys.add(context.idempotencyKey());
                            var promise = Promise.<JsonNode>promise();
                            held.add(promise);
                            return promise.future();
                        })),
                List.of());
    }

    private static ContextAction action(
            String name,
            Map<String, Property> props,
            boolean requireAuth,
            Function<StepContext, Future<JsonNode>> body) {
        return new ContextAction(new ActionSpec(name, name, "", props, requireAuth, true, false), body);
    }

    static ObjectNode request(TestServer.SignedIn user, String actionName) {
        return Json.object()
                .put("projectId", user.projectId())
                .put("pieceName", PIECE)
                .put("actionName", actionName);
    }

    static ObjectNode echo(TestServer.SignedIn user, String text) {
        var request = request(user, "echo");
        request.putObject("input").put("text", text);
        return request;
    }

    static void connect(TestServer.SignedIn user, String externalId, String pieceName) {
        var body = Json.object()
                .put("externalId", externalId)
                .put("displayName", externalId)
                .put("pieceName", pieceName)
                .put("projectId", user.projectId())
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", SECRET);
        var saved = user.api().post("/v1/app-connections", body);
        if (saved.status() >= 300) {
            throw new IllegalStateException(saved.toString());
        }
    }
}
