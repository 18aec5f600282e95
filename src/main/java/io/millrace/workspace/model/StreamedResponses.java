package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The responses API in events, of which the last one holds the whole response. */
record StreamedResponses() implements StreamedFormat {
    @Override
    public void ask(ObjectNode body) {
        body.put("stream", true);
    }

    @Override
    public String text(JsonNode event) {
        return event.path("type").asText("").equals("response.output_text.delta")
                ? event.path("delta").asText("")
                : "";
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        for (var event : events) {
            switch (event.path("type").asText("")) {
                case "response.completed", "response.incomplete" -> {
                    return event.path("response");
                }
                case "response.failed" -> throw brokenOff(event.at("/response/error/message"));
                case "error" ->
                    throw brokenOff(event.has("message") ? event.path("message") : event.at("/error/message"));
                default -> {
                    // A part of what the last event holds as a whole.
                }
            }
        }
        throw new IllegalArgumentException("the stream ended before the answer did");
    }

    private static IllegalArgumentException brokenOff(JsonNode reason) {
        return new IllegalArgumentException(reason.asText("the stream broke off"));
    }
}
