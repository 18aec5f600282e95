package io.millrace.piece.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCategory;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Property;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Delay: waits before the next step (contract flows-and-engine 19.2, pieces 14.1). */
final class DelayPiece {
    /** Told to editors, which put the number of days in. */
    static final Property LIMIT_NOTE =
            Props.markdown("**Note:** a step waits {{pausedFlowTimeoutDays}} days at most.", "INFO");

    private DelayPiece() {}

    static Piece create(InstantSource clock) {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "delay",
                        "Delay",
                        "Waits before the next step.",
                        "new-core/delay.svg",
                        List.of(PieceCategory.CORE, PieceCategory.FLOW_CONTROL),
                        List.of("0.3.26", "0.3.12")),
                List.of(new DelayFor(), new DelayUntil(clock)),
                List.of());
    }

    /**
     * Waits in place. A run cannot pause for longer than its own time yet, so a longer wait is refused at once instead
     * of running into the time limit.
     */
    static Future<JsonNode> waiting(StepContext context, double delayMs, Supplier<JsonNode> output) {
        if (delayMs >= context.remainingMs()) {
            return Future.failedFuture(PieceFailure.named(
                    "PausedFlowTimeoutError",
                    "Expected a wait within the " + context.remainingMs() / 1000
                            + " seconds that the run has left, found one of " + (long) (delayMs / 1000) + " seconds"));
        }
        // A timer of no time at all would still cost a turn of the event loop.
        var durationMs = (long) Math.ceil(delayMs);
        return (durationMs <= 0 ? Future.<Void>succeededFuture() : context.sleep(durationMs))
                .map(elapsed -> output.get());
    }
}
