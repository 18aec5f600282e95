package io.millrace.engine.run;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Guard;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.vertx.core.Future;

/** The only way back to a run for whatever is done for it. To be called on the shard's event loop. */
public interface RunInbox {
    void accept(LifecycleEvent event);

    /**
     * What a step asks of the server itself. A database that is away is nothing that the step did, so it must not fail
     * of it: the run is let go, and the step begins again, with the same idempotency key, where the run is carried on.
     */
    default <T> Future<T> ours(Future<T> asked) {
        return asked.succeeded()
                ? asked
                : asked.onFailure(cause -> {
                    if (ApiException.isUnavailable(cause)) {
                        accept(new LifecycleEvent.ServiceLost(cause));
                    }
                });
    }

    /** Whatever a callback throws ends the run, and nothing else. */
    default void guarded(Runnable callback) {
        Guard.run(callback, defect -> accept(new LifecycleEvent.Defect(defect)));
    }
}
