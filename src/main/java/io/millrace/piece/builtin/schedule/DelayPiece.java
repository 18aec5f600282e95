package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.Piece;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Delay: waits before the next step (contract flows-and-engine 19.2, pieces 14.1). */
public final class DelayPiece {
    /** Note for editors, which insert the number of days. */
    static final Property LIMIT_NOTE =
            Props.markdown("**Note:** a step waits {{pausedFlowTimeoutDays}} days at most.", "INFO");

    /** About ten thousand years. */
    private static final double NEVER_MS = 3e14;

    private final InstantSource clock;

    private DelayPiece(InstantSource clock) {
        this.clock = clock;
    }

    public static Piece create(InstantSource clock) {
        var delay = new DelayPiece(clock);
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "delay",
                        "Delay",
                        "Waits before the next step.",
                        "new-core/delay.svg",
                        List.of(PieceCategory.CORE, PieceCategory.FLOW_CONTROL),
                        List.of("0.3.26", "0.3.12")),
                List.of(new DelayFor(delay), new DelayUntil(delay, clock)),
                List.of());
    }

    /**
     * Waits in place while that is short, and pauses the run otherwise, which its time limit does not count.
     *
     * @param inPlaceMsMax longest wait in place
     */
    Future<JsonNode> delay(StepContext context, double delayMs, long inPlaceMsMax, JsonNode output) {
        if (delayMs <= 0 || context.resumePayload().isPresent()) {
            // Avoids a timer for a zero delay, which would cost a turn of the event loop.
            return Future.succeededFuture(output);
        }
        if (delayMs <= inPlaceMsMax) {
            return context.sleep((long) Math.ceil(delayMs)).map(output);
        }
        return context.createWaitpoint(Waitpoint.Request.until(moment(delayMs))).map(waitpoint -> {
            context.waitFor(waitpoint, Optional.empty());
            return output;
        });
    }

    /** Limits a moment to the range of the clock; the limit on pauses rejects it later. */
    private Instant moment(double delayMs) {
        return clock.instant().plusMillis((long) Math.min(Math.ceil(delayMs), NEVER_MS));
    }
}
