package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** One message of a conversation. */
public sealed interface ModelMessage {
    /** What somebody says to the model. */
    record UserMessage(String text, List<ModelFile> files) implements ModelMessage {
        public UserMessage(String text) {
            this(text, List.of());
        }
    }

    /**
     * What the model said before.
     *
     * @param raw the same as the provider wrote it, which some want back unchanged; null when it is not known
     */
    record AssistantMessage(String text, List<ToolRequest> calls, JsonNode raw) implements ModelMessage {}

    /** What a tool call of the last answer brought. */
    record ToolResultMessage(ToolRequest request, String text, boolean failed) implements ModelMessage {}
}
