package io.millrace.engine.run;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Guard;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.vertx.core.Future;

/** Inbox for results of a run's asynchronous work. To be called on the shard's event loop. */
public interface RunInbox {
    void accept(LifecycleEvent event);

    /**
     * Wraps a request of a step to the server itself. An unavailable database is not a failure of the step: the shard
     * releases the run, and its next owner executes the step again with the same idempotency key.
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

    /** Runs a callback; an exception ends the run only. */
    default void guarded(Runnable callback) {
        Guard.run(callback, defect -> accept(new LifecycleEvent.Defect(defect)));
    }
}
