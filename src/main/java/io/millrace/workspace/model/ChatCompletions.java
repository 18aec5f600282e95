package io.millrace.workspace.model;

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
import io.millrace.piece.model.ToolRequest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Chat completions as OpenAI defined them and most providers speak them.
 *
 * @param limitField what the limit of the output is called
 * @param webPlugin whether a web search is the plug-in of OpenRouter
 * @param stream how an answer comes while it is written
 */
record ChatCompletions(String limitField, boolean webPlugin, StreamedCompletions stream) implements ModelFormat {
    private static final int SEARCH_RESULTS_MAX = 10;
    private static final int SEARCH_RESULTS = 5;

    @Override
    public ObjectNode write(String model, ModelRequest request) {
        var body = Json.object().put("model", model);
        var messages = body.putArray("messages");
        if (!request.system().isBlank()) {
            messages.addObject().put("role", "system").put("content", request.system());
        }
        request.messages().forEach(message -> add(messages, message));
        request.maxOutputTokens().ifPresent(max -> body.put(limitField, max));
        request.temperature().ifPresent(temperature -> body.put("temperature", temperature));
        addTools(body, request);
        request.webSearch().filter(_ -> webPlugin).ifPresent(options -> {
            var wanted = options.path("maxUses").asInt(SEARCH_RESULTS);
            body.putArray("plugins")
                    .addObject()
                    .put("id", "web")
                    .put("max_results", Math.clamp(wanted, 1, SEARCH_RESULTS_MAX));
        });
        return body;
    }

    private static void add(ArrayNode messages, ModelMessage message) {
        switch (message) {
            case ModelMessage.UserMessage(var text, var files) -> {
                var user = messages.addObject().put("role", "user");
                if (files.isEmpty()) {
                    user.put("content", text);
                } else {
                    addParts(user.putArray("content"), text, files);
                }
            }
            case ModelMessage.AssistantMessage(var text, var calls, var _) -> {
                var assistant = messages.addObject().put("role", "assistant");
                assistant.put("content", text);
                if (!calls.isEmpty()) {
                    var written = assistant.putArray("tool_calls");
                    calls.forEach(call -> written.addObject()
                            .put("id", call.id())
                            .put("type", "function")
                            .putObject("function")
                            .put("name", call.name())
                            .put("arguments", Json.text(call.arguments())));
                }
            }
            case ModelMessage.ToolResultMessage(var request, var text, var _) ->
                messages.addObject()
                        .put("role", "tool")
                        .put("tool_call_id", request.id())
                        .put("content", text);
        }
    }

    private static void addParts(ArrayNode parts, String text, List<ModelFile> files) {
        parts.addObject().put("type", "text").put("text", text);
        for (var file : files) {
            var url = "data:" + file.mimeType() + ";base64,"
                    + Base64.getEncoder().encodeToString(file.data().getBytes());
            if (file.isImage()) {
                parts.addObject()
                        .put("type", "image_url")
                        .putObject("image_url")
                        .put("url", url);
            } else {
                parts.addObject()
                        .put("type", "file")
                        .putObject("file")
                        .put("filename", "document")
                        .put("file_data", url);
            }
        }
    }

    private static void addTools(ObjectNode body, ModelRequest request) {
        if (request.tools().isEmpty()) {
            return;
        }
        var tools = body.putArray("tools");
        request.tools().forEach(tool -> {
            var function = tools.addObject().put("type", "function").putObject("function");
            function.put("name", tool.name()).put("description", tool.description());
            function.set("parameters", tool.schema());
        });
        switch (request.use()) {
            case ToolUse.Free _ -> body.put("tool_choice", "auto");
            case ToolUse.Barred _ -> body.put("tool_choice", "none");
            case ToolUse.Forced(var name) ->
                body.putObject("tool_choice")
                        .put("type", "function")
                        .putObject("function")
                        .put("name", name);
        }
    }

    @Override
    public Optional<StreamedFormat> streamed() {
        return Optional.of(stream);
    }

    @Override
    public ModelResponse read(JsonNode body) {
        var choice = body.path("choices").path(0);
        var message = choice.path("message");
        if (!message.isObject()) {
            throw new IllegalArgumentException("expected a message, found none");
        }
        var calls = new ArrayList<ToolRequest>();
        for (var call : message.path("tool_calls")) {
            var function = call.path("function");
            calls.add(ToolArguments.ofText(
                    call.path("id").asText(""),
                    function.path("name").asText(""),
                    function.path("arguments").asText("")));
        }
        var sources = new ArrayList<String>();
        message.path("annotations")
                .forEach(annotation ->
                        sources.add(annotation.path("url_citation").path("url").asText("")));
        var refusal = message.path("refusal").asText("");
        return new ModelResponse(
                refusal.isEmpty() ? text(message.path("content")) : refusal,
                calls,
                refusal.isEmpty() ? ending(choice.path("finish_reason").asText("")) : Ending.REFUSED,
                body.at("/usage/prompt_tokens").asLong(),
                body.at("/usage/completion_tokens").asLong(),
                sources.stream().filter(url -> !url.isEmpty()).distinct().toList(),
                message);
    }

    /** A text, or parts of which some are texts. */
    private static String text(JsonNode content) {
        if (!content.isArray()) {
            return content.asText("");
        }
        var text = new StringBuilder();
        content.forEach(part -> text.append(part.path("text").asText("")));
        return text.toString();
    }

    private static Ending ending(String reason) {
        return switch (reason) {
            case "length" -> Ending.CUT_OFF;
            case "content_filter" -> Ending.REFUSED;
            default -> Ending.WHOLE;
        };
    }
}
