package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.authoring.agent.AgentConfigReader;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.piece.model.ModelMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Prompt of the user, with the earlier messages of the conversation that it continues.
 *
 * @param conversation {@code [{role, content}]}, oldest first; empty for a new conversation
 */
record AgentPrompt(String instruction, ArrayNode conversation) {
    private static final String CONVERSATION = "conversation";
    private static final Pattern ROLE = Pattern.compile("user|assistant");

    /**
     * Reads the prompt of a request; errors are recorded in the fields.
     *
     * @param messagesMax limit of the conversation
     */
    static AgentPrompt read(Fields given, int messagesMax) {
        return new AgentPrompt(
                given.text("instruction", 1, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX),
                readConversation(given, messagesMax));
    }

    private static ArrayNode readConversation(Fields given, int messagesMax) {
        var conversation = Json.array();
        if (given.isAbsent(CONVERSATION)) {
            return conversation;
        }
        var messages = given.array(CONVERSATION);
        if (messages.size() > messagesMax) {
            given.refuse(CONVERSATION, "Too big: expected array to have <=" + messagesMax + " items");
            return conversation;
        }
        for (var message : messages) {
            var fields = given.element(CONVERSATION, conversation.size(), message);
            conversation
                    .addObject()
                    .put("role", fields.text("role", ROLE))
                    .put("content", fields.text("content", 1, AgentConfigReader.INSTRUCTIONS_LENGTH_MAX));
        }
        return conversation;
    }

    List<ModelMessage> messages() {
        var messages = new ArrayList<ModelMessage>();
        for (var message : conversation) {
            var content = message.path("content").asText();
            messages.add(
                    message.path("role").asText().equals("assistant")
                            ? new ModelMessage.AssistantMessage(content, List.of(), null)
                            : new ModelMessage.UserMessage(content));
        }
        messages.add(new ModelMessage.UserMessage(instruction));
        return messages;
    }
}
