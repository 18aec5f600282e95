package io.millrace.sandbox.code;

import io.vertx.core.Future;

public interface RunningCode {
    /**
     * Result of the call; completes on the caller's context. Fails only when the call could not be made: too many wait
     * (TOO_MANY_REQUESTS), or no worker can be started (UNAVAILABLE).
     */
    Future<CodeResult> result();

    /** Ends the call as Canceled; no effect after its end. */
    void cancel();
}
