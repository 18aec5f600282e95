package io.millrace.sandbox.code;

import io.millrace.sandbox.code.worker.WorkerRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** A call on its way through the runner: who waits for it, and whether it still should run. */
final class PendingCall {
    private final String key;
    private final Supplier<WorkerRequest> request;
    private final Context caller;
    private final Promise<CodeResult> promise = Promise.promise();
    private final long submittedNanos = System.nanoTime();
    private Runnable interrupt;
    private boolean cancelled;
    private volatile boolean again;

    PendingCall(String key, Supplier<WorkerRequest> request, Context caller) {
        this.key = key;
        this.request = request;
        this.caller = caller;
    }

    String key() {
        return key;
    }

    /** Whether it has been on its way for so long. */
    boolean isOlderThan(long nanos, long nowNanos) {
        return nowNanos - submittedNanos > nanos;
    }

    /** Whether a worker has ended while it had this call. */
    boolean isAgain() {
        return again;
    }

    /** A worker has ended while it had this call: another one makes it, and no other calls with it. */
    void tryAgain() {
        again = true;
    }

    /** Makes the request's text: a large one takes its time, so only a worker's thread asks. */
    WorkerRequest request() {
        return request.get();
    }

    Future<CodeResult> result() {
        return promise.future();
    }

    /** Names what ends the running call; runs it at once when the call was cancelled before. */
    void running(Runnable interruption) {
        boolean late;
        synchronized (this) {
            interrupt = interruption;
            late = cancelled;
        }
        if (late) {
            interruption.run();
        }
    }

    void cancel() {
        Runnable interruption;
        synchronized (this) {
            cancelled = true;
            interruption = interrupt;
        }
        if (interruption != null) {
            interruption.run();
        }
    }

    void complete(CodeResult result) {
        caller.runOnContext(_ -> promise.tryComplete(result));
    }

    void fail(Throwable failure) {
        caller.runOnContext(_ -> promise.tryFail(failure));
    }
}
