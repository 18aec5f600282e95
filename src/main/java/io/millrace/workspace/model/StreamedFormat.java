package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** How a format sends an answer while it is written: server-sent events, whose sum is the body that the format reads. Pure. */
interface StreamedFormat {
    /** Asks for the stream in the body of a request. */
    void ask(ObjectNode body);

    /** The text in an event; empty text for none. */
    String text(JsonNode event);

    /** The whole body; fails with IllegalArgumentException when the stream ended before the answer did. */
    JsonNode whole(List<JsonNode> events);
}
