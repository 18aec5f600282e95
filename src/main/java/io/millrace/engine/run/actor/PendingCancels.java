package io.millrace.engine.run.actor;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;

final class PendingCancels {
    private final Map<String, Promise<Boolean>> waiting = new HashMap<>();

    /** Several callers may wait for the same run. */
    Future<Boolean> over(String runId) {
        return waiting.computeIfAbsent(runId, _ -> Promise.promise()).future();
    }

    /** The run has ended, or this shard has released it. */
    void tell(String runId, boolean ended) {
        var promise = waiting.remove(runId);
        if (promise != null) {
            promise.complete(ended);
        }
    }
}
