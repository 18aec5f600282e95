package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.WriteStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A response whose body has not been read. A consumer reads it, or discards it; the bytes are passed on without inflating. */
public final class OutboundStream {
    private final Vertx vertx;
    private final HttpClientResponse response;
    private final long idleMs;
    private boolean isRead;

    /** @param response paused */
    OutboundStream(Vertx vertx, HttpClientResponse response, long idleMs) {
        this.vertx = vertx;
        this.response = response;
        this.idleMs = idleMs;
    }

    public int status() {
        return response.statusCode();
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(response.getHeader(name));
    }

    /**
     * Reads the body while it arrives, without a time limit: a caller that has waited long enough discards it, and then the
     * future never completes. Fails when the connection breaks, and when the body is too long, which closes the connection.
     *
     * @param receiver gets each part on the event loop that reads it
     */
    public Future<Void> read(int bytesMax, Consumer<Buffer> receiver) {
        var read = ResponseBodyReader.read(response, bytesMax, receiver)
                // One that broke or was too long is closed already, and takes no further handler.
                .onComplete(_ -> isRead = true)
                .<Void>mapEmpty();
        response.resume();
        return read;
    }

    /**
     * Writes the body to a stream with back-pressure, and ends the stream; fails when one of both breaks, when the body has
     * another length, and when no data moves for the timeout of an exchange.
     *
     * @param bytes required length of the body
     */
    public Future<Void> pipeTo(WriteStream<Buffer> taker, long bytes) {
        response.request().idleTimeout(idleMs);
        return response.pipeTo(new ExactLength(taker, bytes, () -> isRead = true));
    }

    /**
     * Reads the rest and drops it, so that the connection can be used again. A rest that is long or slow is abandoned: the
     * caller that has the status does not wait for it.
     */
    public void drop(int bytesMax, long timeMs) {
        response.exceptionHandler(_ -> {});
        var timer = vertx.setTimer(timeMs, _ -> giveUp());
        response.endHandler(_ -> {
            isRead = true;
            vertx.cancelTimer(timer);
        });
        var left = new AtomicLong(bytesMax);
        response.handler(chunk -> {
            if (left.addAndGet(-chunk.length()) < 0) {
                vertx.cancelTimer(timer);
                giveUp();
            }
        });
        response.resume();
    }

    /** Closes the connection, unless all of the body has been read. */
    public void giveUp() {
        if (isRead) {
            return;
        }
        // The reset is reported to the response, and would be logged as an error without a handler.
        response.exceptionHandler(_ -> {});
        response.request().reset();
    }
}
