package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.Callable;

/**
 * Serializes and parses stored texts: short ones at once, longer ones on a worker, because they would block an event
 * loop for more than a few milliseconds. Work of one context is done in its order.
 */
public record LongTexts(Vertx vertx) {
    /** Longest text in bytes that is serialized on the event loop. */
    static final long WRITTEN_IN_PLACE_BYTES_MAX = 128 * 1024;

    /** The same limit for stored text, which may be compressed, usually to a tenth. */
    private static final long READ_IN_PLACE_BYTES_MAX = 16 * 1024;

    /** A larger text is compressed during serialization. */
    private static final long WRITTEN_WHOLE_BYTES_MAX = 32 * 1024;

    /** Serializes a value of about that many bytes. */
    public Future<Buffer> write(JsonNode value, long bytes) {
        if (bytes <= WRITTEN_WHOLE_BYTES_MAX) {
            return Future.succeededFuture(RecordText.of(value));
        }
        return bytes <= WRITTEN_IN_PLACE_BYTES_MAX
                ? Future.succeededFuture(RecordText.ofLong(value))
                : vertx.executeBlocking(() -> RecordText.ofLong(value), true);
    }

    /** Parses texts of that stored size in bytes. */
    public <T> Future<T> read(long keptBytes, Callable<T> read) {
        if (keptBytes > READ_IN_PLACE_BYTES_MAX) {
            return vertx.executeBlocking(read, true);
        }
        try {
            return Future.succeededFuture(read.call());
        } catch (Exception malformed) {
            return Future.failedFuture(malformed);
        }
    }
}
