package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** One message of a conversation. */
public sealed interface ModelMessage {
    /** Message of the user. */
    record UserMessage(String text, List<ModelFile> files) implements ModelMessage {
        public UserMessage(String text) {
            this(text, List.of());
        }
    }

    /**
     * Earlier answer of the model.
     *
     * @param raw original message of the provider, which some providers require back unchanged; null when unknown
     */
    record AssistantMessage(String text, List<ToolRequest> calls, JsonNode raw) implements ModelMessage {}

    /** Result of a tool call from the last answer. */
    record ToolResultMessage(ToolRequest request, String text, boolean failed) implements ModelMessage {}
}
