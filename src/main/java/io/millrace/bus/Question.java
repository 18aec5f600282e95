package io.millrace.bus;

import io.vertx.core.Promise;

/** A request that is under way: who is to be told the answer, and its place in the queue of its deadline. */
final class Question {
    private final Request<?> request;
    private final Promise<Object> promise;
    Deadlines.Queue queue;
    Question before;
    Question after;
    long dueNanos;

    /** @param promise of the asker's context, so that the answer arrives there */
    Question(Request<?> request, Promise<Object> promise) {
        this.request = request;
        this.promise = promise;
    }

    Request<?> request() {
        return request;
    }

    /** Tells the answer, unless the deadline has passed. */
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
