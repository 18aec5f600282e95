package io.millrace.engine.run.start;

import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;
import java.util.concurrent.TimeoutException;

/**
 * Failure of a hook of the trigger of a run that starts.
 *
 * @param message JSON text of contract flows-and-engine 11.3
 */
record TriggerFailure(Hook hook, TriggerFailed.Cause cause, String message) {
    /** Hooks of a trigger that a start calls. */
    enum Hook {
        /** Makes items of the payload. */
        RUN,
        /** Prepares the run of an item. */
        START
    }

    static TriggerFailure of(Hook hook, Throwable failure) {
        return new TriggerFailure(hook, causeOf(failure), ErrorMessage.of(failure));
    }

    private static TriggerFailed.Cause causeOf(Throwable failure) {
        return switch (failure) {
            case PieceCrash crash ->
                switch (crash.why()) {
                    case TIME -> TriggerFailed.Cause.TIME;
                    case MEMORY -> TriggerFailed.Cause.MEMORY;
                    case INTERNAL -> TriggerFailed.Cause.PROCESS;
                };
            case TimeoutException _ -> TriggerFailed.Cause.TIME;
            default -> TriggerFailed.Cause.ERROR;
        };
    }

    TriggerFailed event() {
        return new TriggerFailed(cause, message, hook == Hook.START);
    }
}
