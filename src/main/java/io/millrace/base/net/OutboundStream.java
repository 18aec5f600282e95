package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.WriteStream;

/** A response whose body has not been read. It is read by one who takes it, or given up; as it came, without inflating. */
public final class OutboundStream {
    private final HttpClientResponse response;
    private final long idleMs;
    private boolean isRead;

    /** @param response paused */
    OutboundStream(HttpClientResponse response, long idleMs) {
        this.response = response;
        this.idleMs = idleMs;
    }

    public int status() {
        return response.statusCode();
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
