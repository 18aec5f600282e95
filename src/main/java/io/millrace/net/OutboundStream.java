package io.millrace.net;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.WriteStream;

/** A response whose body has not been read. It is read by one who takes it, or given up; as it came, without inflating. */
public final class OutboundStream {
    private final HttpClientResponse response;

    /** @param response paused */
    OutboundStream(HttpClientResponse response) {
        this.response = response;
    }

    public int status() {
        return response.statusCode();
    }

    /** Writes the body as fast as it is taken, and ends what it is written to; fails when one of both breaks. */
    public Future<Void> pipeTo(WriteStream<Buffer> taker) {
        return response.pipeTo(taker);
    }

    /** Closes the connection. */
    public void giveUp() {
        // The reset reports itself to the response, and would be logged as an error if nobody listened.
        response.exceptionHandler(_ -> {});
        response.request().reset();
    }
}
