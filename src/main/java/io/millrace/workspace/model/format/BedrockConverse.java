package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelFile;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelRequest.ToolUse;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelResponse.Ending;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

public record BedrockConverse() implements ModelFormat {
    @Override
    public ObjectNode write(String model, ModelRequest request) {
        var body = Json.object();
        if (!request.system().isBlank()) {
            body.putArray("system").addObject().put("text", request.system());
        }
        var messages = body.putArray("messages");
        request.messages().forEach(message -> add(messages, message));
        var inference = Json.object();
        request.maxOutputTokens().ifPresent(max -> inference.put("maxTokens", max));
        request.temperature().ifPresent(temperature -> inference.put("temperature", temperature));
        if (!inference.isEmpty()) {
            body.set("inferenceConfig", inference);
        }
        if (!request.tools().isEmpty()) {
            addTools(body.putObject("toolConfig"), request);
        }
        return body;
    }

    private static void addTools(ObjectNode config, ModelRequest request) {
        var tools = config.putArray("tools");
        request.tools().forEach(tool -> {
            var spec = tools.addObject().putObject("toolSpec").put("name", tool.name());
            if (!tool.description().isBlank()) {
                spec.put("description", tool.description());
            }
            spec.putObject("inputSchema").set("json", tool.schema());
        });
        if (request.use() instanceof ToolUse.Forced(var name)) {
            config.putObject("toolChoice").putObject("tool").put("name", name);
        }
    }

    private static void add(ArrayNode messages, ModelMessage message) {
        switch (message) {
            case ModelMessage.UserMessage(var text, var files) -> {
                var content = contentOf(messages, "user");
                content.addObject().put("text", text);
                files.forEach(file -> add(content, file));
            }
            case ModelMessage.AssistantMessage(var _, var _, ArrayNode raw) ->
                contentOf(messages, "assistant").addAll(raw);
            case ModelMessage.AssistantMessage(var text, var calls, var _) -> {
                var content = contentOf(messages, "assistant");
                if (!text.isBlank()) {
                    content.addObject().put("text", text);
                }
                calls.forEach(call -> content.addObject()
                        .putObject("toolUse")
                        .put("toolUseId", call.id())
                        .put("name", ToolNames.accepted(call.name()))
                        .set("input", call.arguments()));
            }
            case ModelMessage.ToolResultMessage(var request, var text, var failed) -> {
                var result = contentOf(messages, "user").addObject().putObject("toolResult");
                result.put("toolUseId", request.id()).put("status", failed ? "error" : "success");
                result.putArray("content").addObject().put("text", text);
            }
        }
    }

    private static ArrayNode contentOf(ArrayNode messages, String role) {
        if (!messages.isEmpty()
                && messages.get(messages.size() - 1).path("role").asText().equals(role)) {
            return (ArrayNode) messages.get(messages.size() - 1).get("content");
        }
        return messages.addObject().put("role", role).putArray("content");
    }

    private static void add(ArrayNode content, ModelFile file) {
        var kind = file.mimeType().substring(file.mimeType().indexOf('/') + 1);
        var part = content.addObject().putObject(file.isImage() ? "image" : "document");
        part.put("format", kind);
        if (!file.isImage()) {
            part.put("name", "document");
        }
        part.putObject("source")
                .put("bytes", Base64.getEncoder().encodeToString(file.data().getBytes()));
    }

    @Override
    public Optional<StreamedFormat> streamed() {
        return Optional.of(new StreamedConverse());
    }

    @Override
    public ModelResponse read(JsonNode body) {
        var content = body.at("/output/message/content");
        if (!content.isArray()) {
            throw new IllegalArgumentException("expected a message, found none");
        }
        var text = new StringBuilder();
        var thoughts = new StringBuilder();
        var calls = new ToolArguments();
        var kept = Json.array();
        for (var block : content) {
            text.append(block.path("text").asText(""));
            thoughts.append(block.at("/reasoningContent/reasoningText/text").asText(""));
            if (block.path("toolUse").isObject()) {
                kept.add(readCall((ObjectNode) block.deepCopy(), calls));
            } else if (!block.path("text").isTextual()
                    || !block.path("text").asText().isEmpty()) {
                // The API rejects empty texts.
                kept.add(block);
            }
        }
        var answer = ThoughtSplitter.split(text.toString());
        return new ModelResponse(
                        answer.text(),
                        calls.calls(),
                        switch (body.path("stopReason").asText("")) {
                            case "max_tokens" -> Ending.CUT_OFF;
                            case "guardrail_intervened", "content_filtered" -> Ending.REFUSED;
                            default -> Ending.WHOLE;
                        },
                        body.at("/usage/inputTokens").asLong(),
                        body.at("/usage/outputTokens").asLong(),
                        List.of(),
                        kept)
                .thinking(thoughts.toString(), answer.thoughts());
    }

    /** Adds a call, and completes the block so that it can be sent back. */
    private static ObjectNode readCall(ObjectNode block, ToolArguments calls) {
        var use = (ObjectNode) block.path("toolUse");
        var call = calls.add(use.path("toolUseId").asText(""), use.path("name").asText(""), use.path("input"));
        use.put("toolUseId", call.id())
                .put("name", ToolNames.accepted(call.name()))
                .set("input", call.arguments());
        return block;
    }
}
