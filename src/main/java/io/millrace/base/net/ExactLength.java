package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;

/**
 * Passes on exactly as many bytes as were announced to the receiver: one more would be read as the beginning of the next
 * answer, one fewer leaves the receiver waiting.
 */
final class ExactLength implements WriteStream<Buffer> {
    private final WriteStream<Buffer> taker;
    private final Runnable atEnd;
    private long left;

    /** @param atEnd called when the sender has ended, even if bytes are missing */
    ExactLength(WriteStream<Buffer> taker, long bytes, Runnable atEnd) {
        this.taker = taker;
        this.left = bytes;
        this.atEnd = atEnd;
    }

    @Override
    public Future<Void> write(Buffer data) {
        left -= data.length();
        return left < 0 ? Future.failedFuture(otherLength()) : taker.write(data);
    }

    @Override
    public Future<Void> end() {
        atEnd.run();
        return left != 0 ? Future.failedFuture(otherLength()) : taker.end();
    }

    private static OutboundFailure otherLength() {
        return new OutboundFailure(
                OutboundFailure.Kind.MALFORMED_RESPONSE, "the length of the response body is not the stored length");
    }

    @Override
    public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
        taker.exceptionHandler(handler);
        return this;
    }

    @Override
    public WriteStream<Buffer> setWriteQueueMaxSize(int size) {
        taker.setWriteQueueMaxSize(size);
        return this;
    }

    @Override
    public boolean writeQueueFull() {
        // A refused write may have closed the receiver, which then no longer accepts calls.
        return left >= 0 && taker.writeQueueFull();
    }

    @Override
    public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
        taker.drainHandler(handler);
        return this;
    }
}
