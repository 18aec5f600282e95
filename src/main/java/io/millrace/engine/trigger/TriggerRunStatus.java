package io.millrace.engine.trigger;

import io.millrace.engine.trigger.schedule.InvalidCronExpressionException;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.concurrent.TimeoutException;

/** Outcome of a hook call (contract flows-and-engine 18.9). */
public enum TriggerRunStatus {
    COMPLETED,
    FAILED,
    INTERNAL_ERROR,
    TIMED_OUT;

    /**
     * Status of a failed call: an error reported by the piece is a failure of the trigger, all others are defects of this
     * server.
     */
    static TriggerRunStatus of(Throwable failure) {
        return switch (failure) {
            case TimeoutException _ -> TIMED_OUT;
            case PieceCrash crash when crash.why() == PieceCrash.Cause.TIME -> TIMED_OUT;
            case PieceFailure _ -> FAILED;
            case ExpressionFailure _ -> FAILED;
            case InvalidCronExpressionException _ -> FAILED;
            default -> INTERNAL_ERROR;
        };
    }
}
