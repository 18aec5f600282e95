package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.ScriptValues;
import io.vertx.core.Future;

final class DelayFor implements Action {
    private static final ActionSpec SPEC = new ActionSpec(
            "delayFor",
            "Delay For",
            "Waits a given time before the next step.",
            Props.of(
                    Props.named("markdown", DelayPiece.LIMIT_NOTE),
                    Props.named(
                            "unit",
                            Props.choice(
                                            "Unit", true, "Seconds", "seconds", "Minutes", "minutes", "Hours", "hours",
                                            "Days", "days")
                                    .describedAs("The unit of the amount.")
                                    .defaultingTo(TextNode.valueOf("seconds"))),
                    Props.named("delayFor", Props.number("Amount", true).describedAs("Number of units to wait."))),
            true,
            false,
            false);

    /** Longest wait in place (contract flows-and-engine 19.2). */
    private static final long IN_PLACE_MS_MAX = 10_000;

    private final DelayPiece piece;

    DelayFor(DelayPiece piece) {
        this.piece = piece;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            var delayMs = delayMs(context.props());
            return piece.delay(context, delayMs, IN_PLACE_MS_MAX, output(delayMs));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** A test does not wait. */
    @Override
    public Future<JsonNode> test(StepContext context) {
        try {
            return Future.succeededFuture(output(delayMs(context.props())));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    private static double delayMs(ObjectNode props) {
        var amount = props.path("delayFor").doubleValue();
        if (amount < 0) {
            throw PieceFailure.of(
                    "Expected an amount of 0 or more to wait, found " + ScriptValues.text(props.path("delayFor")));
        }
        return amount * unitMs(props.path("unit").asText("seconds"));
    }

    private static long unitMs(String unit) {
        return switch (unit) {
            case "seconds" -> 1000;
            case "minutes" -> 60_000;
            case "hours" -> 3_600_000;
            case "days" -> 86_400_000;
            default -> throw PieceFailure.of("Expected seconds, minutes, hours or days as the unit, found " + unit);
        };
    }

    private static JsonNode output(double delayMs) {
        var output = Json.object();
        output.set("delayForInMs", ScriptValues.node(delayMs));
        return output.put("success", true);
    }
}
