package io.millrace.engine.run.start;

import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;
import java.util.concurrent.TimeoutException;

/**
 * Failure of a hook of the trigger of a run that starts.
 *
 * @param status status with which the run ends: a lost process is a fault of the server, which retries the run
 * @param message JSON text of contract flows-and-engine 11.3
 */
record TriggerFailure(Hook hook, EndStatus status, String message) {
    /** Hooks of a trigger that a start calls. */
    enum Hook {
        /** Makes items of the payload. */
        RUN,
        /** Prepares the run of an item. */
        START
    }

    static TriggerFailure of(Hook hook, Throwable cause) {
        return new TriggerFailure(hook, statusOf(cause), ErrorMessage.of(cause));
    }

    private static EndStatus statusOf(Throwable cause) {
        return switch (cause) {
            case PieceCrash crash ->
                switch (crash.why()) {
                    case TIME -> EndStatus.TIMEOUT;
                    case MEMORY -> EndStatus.MEMORY_LIMIT_EXCEEDED;
                    case INTERNAL -> EndStatus.INTERNAL_ERROR;
                };
            case TimeoutException _ -> EndStatus.TIMEOUT;
            default -> EndStatus.FAILED;
        };
    }

    TriggerFailed event() {
        return new TriggerFailed(status, message, hook == Hook.START);
    }
}
