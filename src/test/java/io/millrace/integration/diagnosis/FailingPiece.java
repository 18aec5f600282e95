package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.step.NamedFailure;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.support.FlowScript;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Piece that fails in the requested way, like pieces of all kinds. */
final class FailingPiece implements BarePiece {
    static final String NAME = "@test/piece-failing";

    @Override
    public PieceSpec spec() {
        return new PieceSpec(
                NAME, "Failing", "", "https://mill.example/f.svg", List.of(), List.of(), List.of("1.0.0"), null);
    }

    @Override
    public Map<String, Action> actions() {
        return Map.of("fail", new Fail());
    }

    /** A step that fails with a message, or in the way named by the first word. */
    static FlowScript step(FlowScript flow, String how) {
        return flow.piece(
                "step_1", NAME, "1.0.0", "fail", Json.object().put("how", how).put("count", 1));
    }

    static FlowScript step(FlowScript flow, ObjectNode input) {
        return flow.piece("step_1", NAME, "1.0.0", "fail", input);
    }

    /** A step in a loop that fails in the way named by its item. */
    static FlowScript inLoop(FlowScript body) {
        var input = Json.object().put("how", "{{step_1.output.item.how}}").put("count", 1);
        return body.piece("step_2", NAME, "1.0.0", "fail", input);
    }

    private static final class Fail implements Action {
        @Override
        public ActionSpec spec() {
            var props = Map.of(
                    "how", Property.of(PropertyType.LONG_TEXT, "How", false),
                    "count", Property.of(PropertyType.NUMBER, "Count", true));
            return new ActionSpec("fail", "Fail", "Fails.", props, false, true, false);
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            var how = context.props().path("how").asText();
            var words = how.split(" ", 2);
            return switch (words[0]) {
                case "crash" ->
                    Future.failedFuture(
                            new PieceCrash(PieceCrash.Cause.valueOf(words[1]), "The process of the piece ended"));
                case "named" -> Future.failedFuture(NamedFailure.of(words[1], "failed as named"));
                case "status" ->
                    Future.failedFuture(
                            PieceFailure.of("Request failed", Json.object().put("status", Integer.parseInt(words[1]))));
                case "fileSize" -> Future.failedFuture(NamedFailure.fileSize(OptionalLong.of(99L << 20), 25L << 20));
                case "throw" -> throw new IllegalStateException(words[1]);
                case "null" -> Future.failedFuture(new NullPointerException());
                case "long" ->
                    Future.failedFuture(
                            PieceFailure.of("x".repeat(1_900), Json.object().put("status", 503)));
                case "ok" -> Future.succeededFuture(Json.object().put("ok", true));
                default -> Future.failedFuture(PieceFailure.of(how));
            };
        }
    }
}
