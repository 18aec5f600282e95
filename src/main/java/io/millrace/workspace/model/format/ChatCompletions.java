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
import io.millrace.piece.model.ToolRequest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Chat completions of OpenAI, the format of most providers.
 *
 * @param limitField name of the field for the output limit
 * @param webPlugin true when OpenRouter's plug-in performs web searches
 * @param stream streamed form of a response
 */
public record ChatCompletions(String limitField, boolean webPlugin, StreamedCompletions stream) implements ModelFormat {
    private static final int SEARCH_RESULTS_MAX = 10;
    private static final int SEARCH_RESULTS = 5;
    private static final String CONTENT = "content";
    private static final String CALLS = "tool_calls";

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
            case ModelMessage.AssistantMessage(var text, var calls, var raw) ->
                addAnswer(messages.addObject().put("role", "assistant"), text, calls, raw);
            case ModelMessage.ToolResultMessage(var request, var text, var _) ->
                messages.addObject()
                        .put("role", "tool")
                        .put("tool_call_id", request.id())
                        .put("content", text);
        }
    }

    /** @param raw the state of the answer as {@link #stateOf} made it, or the whole message of an earlier release; may be null */
    private static void addAnswer(ObjectNode assistant, String text, List<ToolRequest> calls, JsonNode raw) {
        var state = raw == null ? Json.object() : raw;
        assistant.put("content", state.path(CONTENT).asText(text));
        assistant.setAll(CompletionState.of(state));
        if (calls.isEmpty()) {
            return;
        }
        var written = assistant.putArray(CALLS);
        calls.forEach(call -> {
            var one = written.addObject().put("id", call.id()).put("type", "function");
            one.putObject("function")
                    .put("name", ToolNames.accepted(call.name()))
                    .put("arguments", Json.text(call.arguments()));
            for (var known : state.path(CALLS)) {
                if (known.path("id").asText().equals(call.id())) {
                    CompletionState.OF_CALL.merge(known, one);
                }
            }
        });
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
        var message = choice.path("message").isObject() ? choice.path("message") : choice.path("delta");
        if (!message.isObject()) {
            throw new IllegalArgumentException("expected a message, found none");
        }
        var calls = new ToolArguments();
        var read = CompletionCalls.whole(message).toJson();
        read.forEach(call -> {
            var added = calls.add(
                    call.path("id").asText(""), call.at("/function/name").asText(""), call.at("/function/arguments"));
            ((ObjectNode) call).put("id", added.id());
        });
        var sources = new ArrayList<String>();
        message.path("annotations")
                .forEach(annotation ->
                        sources.add(annotation.path("url_citation").path("url").asText("")));
        var refusal = message.path("refusal").asText("");
        var written = StreamedCompletions.textOf(message.path(CONTENT));
        var answer = ThoughtSplitter.split(written);
        return new ModelResponse(
                        refusal.isEmpty() ? answer.text() : refusal,
                        calls.calls(),
                        refusal.isEmpty() ? ending(choice.path("finish_reason").asText("")) : Ending.REFUSED,
                        body.at("/usage/prompt_tokens").asLong(),
                        body.at("/usage/completion_tokens").asLong(),
                        sources.stream()
                                .filter(url -> !url.isEmpty())
                                .distinct()
                                .toList(),
                        stateOf(message, read, answer.thoughts().isEmpty() ? "" : written))
                .thinking(reasoningOf(message), answer.thoughts());
    }

    /** Fields that the provider expects back with the answer; {@code content} is the text including the thoughts. */
    private static ObjectNode stateOf(JsonNode message, ArrayNode calls, String content) {
        var state = CompletionState.of(message);
        if (!content.isEmpty()) {
            state.put(CONTENT, content);
        }
        var signed = Json.array();
        calls.forEach(call -> {
            var known = Json.object();
            CompletionState.OF_CALL.merge(call, known);
            if (!known.isEmpty()) {
                signed.add(known.put("id", call.path("id").asText()));
            }
        });
        if (!signed.isEmpty()) {
            state.set(CALLS, signed);
        }
        return state;
    }

    private static String reasoningOf(JsonNode message) {
        return CompletionState.TEXTS.stream()
                .map(name -> message.path(name).asText(""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElseGet(() -> thoughtsIn(message.path(CONTENT)));
    }

    /** Mistral sends thoughts among the parts of the content. */
    private static String thoughtsIn(JsonNode content) {
        return content.isArray()
                ? content.valueStream()
                        .map(part -> StreamedCompletions.textOf(part.path("thinking")))
                        .collect(Collectors.joining())
                : "";
    }

    private static Ending ending(String reason) {
        return switch (reason) {
            case "length", "max_tokens", "MAX_TOKENS" -> Ending.CUT_OFF;
            case "content_filter" -> Ending.REFUSED;
            default -> Ending.WHOLE;
        };
    }
}
