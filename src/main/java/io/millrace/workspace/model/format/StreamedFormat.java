package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;

/** Streamed form of a response: events, whose sum is the body that the format parses. Pure. */
public interface StreamedFormat {
    void ask(ObjectNode body);

    default String mediaType() {
        return "text/event-stream";
    }

    /** True if a body is such a stream: some servers name another media type, or send a whole answer under this one. */
    default boolean isStream(String contentType, Buffer body) {
        var isWhole =
                body.getString(0, Math.min(body.length(), 64)).stripLeading().startsWith("{");
        return !isWhole && contentType.contains(mediaType()) || ModelEvents.isStream(body);
    }

    /** The events of a body; fails with IllegalArgumentException when it is damaged. */
    default List<JsonNode> events(Buffer body) {
        return ModelEvents.of(body);
    }

    /**
     * Parses a body in arbitrary parts.
     *
     * @param receiver receives each event
     */
    default Consumer<Buffer> eventReader(Consumer<JsonNode> receiver) {
        return new ModelEvents(receiver)::accept;
    }

    /** The text in an event; empty text for none. */
    String text(JsonNode event);

    /** The whole body; fails with IllegalArgumentException when the stream ended before the answer did. */
    JsonNode whole(List<JsonNode> events);
}
