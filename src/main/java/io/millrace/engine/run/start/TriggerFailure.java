package io.millrace.engine.run.start;

import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.piece.ErrorMessage;

/**
 * Failure of a hook of the trigger of a run that starts.
 *
 * @param message JSON text of contract flows-and-engine 11.3
 */
record TriggerFailure(Hook hook, String message) {
    /** Hooks of a trigger that a start calls. */
    enum Hook {
        /** Makes items of the payload. */
        RUN,
        /** Prepares the run of an item. */
        START
    }

    static TriggerFailure of(Hook hook, Throwable cause) {
        return new TriggerFailure(hook, ErrorMessage.of(cause));
    }

    TriggerFailed event() {
        return new TriggerFailed(message);
    }
}
