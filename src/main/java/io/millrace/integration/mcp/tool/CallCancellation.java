package io.millrace.integration.mcp.tool;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Cancellation of one tool call by its client. Thread-safe. */
public final class CallCancellation {
    private final Promise<Void> requested = Promise.promise();

    /** The call was canceled: it has no answer. */
    public static final class CallCancelled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private CallCancelled() {
            super("the client has canceled the call", null, false, false);
        }
    }

    /** A second request has no effect. */
    public void request() {
        requested.tryComplete();
    }

    Future<Void> requested() {
        return requested.future();
    }

    public <T> Future<T> unlessRequested(Future<T> answer) {
        var first = Promise.<T>promise();
        answer.onSuccess(first::tryComplete).onFailure(first::tryFail);
        requested().onSuccess(_ -> first.tryFail(new CallCancelled()));
        return first.future();
    }
}
