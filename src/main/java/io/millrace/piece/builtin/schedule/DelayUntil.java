package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.DateParser;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;

/** Waits until a point in time; a past one does not wait. */
final class DelayUntil implements Action {
    private static final ActionSpec SPEC = new ActionSpec(
            "delay_until",
            "Delay Until",
            "Waits until a moment before the next step.",
            Props.of(
                    Props.named("markdown", DelayPiece.LIMIT_NOTE),
                    Props.named(
                            "delayUntilTimestamp",
                            Property.of(PropertyType.DATE_TIME, "Date and Time", true)
                                    .describedAs("The moment to wait for, in ISO 8601 or another usual form."))),
            true,
            false,
            false);

    /** Longest wait in place (contract flows-and-engine 19.2). */
    private static final long IN_PLACE_MS_MAX = 60_000;

    private final DelayPiece piece;
    private final InstantSource clock;

    DelayUntil(DelayPiece piece, InstantSource clock) {
        this.piece = piece;
        this.clock = clock;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            var until = until(context.props());
            var delayMs = (double) until.toEpochMilli() - clock.millis();
            return piece.delay(context, delayMs, IN_PLACE_MS_MAX, output(until));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** A test does not wait. */
    @Override
    public Future<JsonNode> test(StepContext context) {
        try {
            return Future.succeededFuture(output(until(context.props())));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    private static Instant until(ObjectNode props) {
        var given = props.path("delayUntilTimestamp");
        return DateParser.parse(given)
                .orElseThrow(() ->
                        PieceFailure.of("Expected a date and time to wait for, found " + ScriptValues.text(given)));
    }

    private static JsonNode output(Instant until) {
        return Json.object().put("delayTill", Json.timestamp(until)).put("success", true);
    }
}
