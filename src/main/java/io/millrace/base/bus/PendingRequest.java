package io.millrace.base.bus;

import io.vertx.core.Promise;

/** A pending request: the caller to answer, and its place in the queue of its deadline. */
final class PendingRequest {
    private final BusRequest<?> request;
    private final Promise<Object> promise;
    RequestTimeouts.Queue queue;
    PendingRequest before;
    PendingRequest after;
    long dueNanos;

    /** @param promise of the asker's context, so that the answer arrives there */
    PendingRequest(BusRequest<?> request, Promise<Object> promise) {
        this.request = request;
        this.promise = promise;
    }

    BusRequest<?> request() {
        return request;
    }

    /** Completes the request with an answer, unless the deadline has passed. */
    void answer(Object value, Throwable failure) {
        queue.remove(this);
        if (failure == null) {
            promise.tryComplete(value);
        } else {
            promise.tryFail(failure);
        }
    }

    void expire() {
        promise.tryFail(Bus.unanswered(request));
    }
}
