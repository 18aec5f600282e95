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
import java.util.Optional;

public record AnthropicMessages() implements ModelFormat {
    /** The API requires a limit. */
    private static final int OUTPUT_TOKENS = 8_192;

    private static final int SEARCHES = 5;

    @Override
    public ObjectNode write(String model, ModelRequest request) {
        var body = Json.object()
                .put("model", model)
                .put("max_tokens", request.maxOutputTokens().orElse(OUTPUT_TOKENS));
        if (!request.system().isBlank()) {
            body.put("system", request.system());
        }
        request.temperature().ifPresent(temperature -> body.put("temperature", Math.min(temperature, 1)));
        var messages = body.putArray("messages");
        request.messages().forEach(message -> add(messages, message));
        addTools(body, request);
        return body;
    }

    private static void add(ArrayNode messages, ModelMessage message) {
        switch (message) {
            case ModelMessage.UserMessage(var text, var files) -> {
                var content = contentOf(messages, "user");
                files.forEach(file -> add(content, file));
                content.addObject().put("type", "text").put("text", text);
            }
            case ModelMessage.AssistantMessage(var _, var _, ArrayNode raw) ->
                contentOf(messages, "assistant").addAll(raw);
            case ModelMessage.AssistantMessage(var text, var calls, var _) -> {
                var content = contentOf(messages, "assistant");
                if (!text.isBlank()) {
                    content.addObject().put("type", "text").put("text", text);
                }
                calls.forEach(call -> content.addObject()
                        .put("type", "tool_use")
                        .put("id", call.id())
                        .put("name", ToolNames.accepted(call.name()))
                        .set("input", call.arguments()));
            }
            case ModelMessage.ToolResultMessage(var request, var text, var failed) ->
                contentOf(messages, "user")
                        .addObject()
                        .put("type", "tool_result")
                        .put("tool_use_id", request.id())
                        .put("content", text)
                        .put("is_error", failed);
        }
    }

    /** Roles must alternate: consecutive messages of one role are merged. */
    private static ArrayNode contentOf(ArrayNode messages, String role) {
        if (!messages.isEmpty()
                && messages.get(messages.size() - 1).path("role").asText().equals(role)) {
            return (ArrayNode) messages.get(messages.size() - 1).get("content");
        }
        return messages.addObject().put("role", role).putArray("content");
    }

    private static void add(ArrayNode content, ModelFile file) {
        content.addObject()
                .put("type", file.isImage() ? "image" : "document")
                .putObject("source")
                .put("type", "base64")
                .put("media_type", file.mimeType())
                .put("data", Base64.getEncoder().encodeToString(file.data().getBytes()));
    }

    private static void addTools(ObjectNode body, ModelRequest request) {
        var tools = Json.array();
        request.tools()
                .forEach(tool -> tools.addObject()
                        .put("name", tool.name())
                        .put("description", tool.description())
                        .set("input_schema", tool.schema()));
        request.webSearch().ifPresent(options -> {
            var search = tools.addObject()
                    .put("type", "web_search_20250305")
                    .put("name", "web_search")
                    .put("max_uses", options.path("maxUses").asInt(SEARCHES));
            SearchOptions.location(options).ifPresent(location -> search.set("user_location", location));
            SearchOptions.domains(options, "allowedDomains")
                    .ifPresentOrElse(
                            allowed -> search.set("allowed_domains", allowed),
                            () -> SearchOptions.domains(options, "blockedDomains")
                                    .ifPresent(blocked -> search.set("blocked_domains", blocked)));
        });
        if (tools.isEmpty()) {
            return;
        }
        body.set("tools", tools);
        switch (request.use()) {
            case ToolUse.Free _ -> body.putObject("tool_choice").put("type", "auto");
            case ToolUse.Barred _ -> body.putObject("tool_choice").put("type", "none");
            case ToolUse.Forced(var name) ->
                body.putObject("tool_choice").put("type", "tool").put("name", name);
        }
    }

    @Override
    public ModelResponse read(JsonNode body) {
        var content = body.path("content");
        if (!content.isArray()) {
            throw new IllegalArgumentException("expected content, found none");
        }
        var text = new StringBuilder();
        var thoughts = new StringBuilder();
        var calls = new ToolArguments();
        var kept = Json.array();
        var sources = new CitedSources();
        for (var block : content) {
            switch (block.path("type").asText("")) {
                case "text" -> {
                    text.append(block.path("text").asText(""));
                    block.path("citations")
                            .forEach(
                                    citation -> sources.add(citation.path("url").asText("")));
                }
                case "tool_use" -> {
                    var call = calls.add(
                            block.path("id").asText(""), block.path("name").asText(""), block.path("input"));
                    // Sent back with the next request in an accepted form.
                    kept.add(((ObjectNode) block.deepCopy())
                            .put("id", call.id())
                            .put("name", ToolNames.accepted(call.name()))
                            .set("input", call.arguments()));
                    continue;
                }
                case "thinking" -> thoughts.append(block.path("thinking").asText(""));
                default -> {
                    // Searches of the provider: sent back with the next request.
                }
            }
            // The API rejects empty texts.
            if (!block.path("type").asText("").equals("text")
                    || !block.path("text").asText("").isEmpty()) {
                kept.add(block);
            }
        }
        var answer = ThoughtSplitter.split(text.toString());
        return new ModelResponse(
                        answer.text(),
                        calls.calls(),
                        switch (body.path("stop_reason").asText("")) {
                            case "max_tokens", "model_context_window_exceeded" -> Ending.CUT_OFF;
                            case "refusal" -> Ending.REFUSED;
                            default -> Ending.WHOLE;
                        },
                        body.at("/usage/input_tokens").asLong(),
                        body.at("/usage/output_tokens").asLong(),
                        sources.urls(),
                        kept)
                .thinking(thoughts.toString(), answer.thoughts());
    }

    @Override
    public Optional<StreamedFormat> streamed() {
        return Optional.of(new StreamedMessages());
    }
}
