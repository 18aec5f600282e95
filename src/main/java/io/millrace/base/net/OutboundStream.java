package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.WriteStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A response whose body has not been read. It is read by one who takes it, or given up; as it came, without inflating. */
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

    /** The first value of a header. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(response.getHeader(name));
    }

    /**
     * Reads the body while it comes, however long that takes: whoever has waited long enough gives it up, and then this is
     * never done. Fails when the connection breaks, and when the body is too long, which closes the connection.
     *
     * @param heard told each part on the event loop that reads it
     */
    public Future<Void> read(int bytesMax, Consumer<Buffer> heard) {
        var read = ResponseBodyReader.read(response, bytesMax, heard)
                // One that broke or was too long is closed already, and takes no further handler.
                .onComplete(_ -> isRead = true)
                .<Void>mapEmpty();
        response.resume();
        return read;
    }

    /**
     * Writes the body as fast as it is taken, and ends what it is written to; fails when one of both breaks, when the body has
     * another length, and when nothing moves for the time of an exchange.
     *
     * @param bytes how long the body must be
     */
    public Future<Void> pipeTo(WriteStream<Buffer> taker, long bytes) {
        response.request().idleTimeout(idleMs);
        return response.pipeTo(new ExactLength(taker, bytes, () -> isRead = true));
    }

    /**
     * Reads the rest and drops it, so that the connection can be used again. A rest that is long or slow is given up: whoever
     * has the status need not wait for it.
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
        // The reset reports itself to the response, and would be logged as an error if nobody listened.
        response.exceptionHandler(_ -> {});
        response.request().reset();
    }
}
