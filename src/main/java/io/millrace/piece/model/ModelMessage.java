package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

public sealed interface ModelMessage {
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

    record ToolResultMessage(ToolRequest request, String text, boolean failed) implements ModelMessage {}
}
