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

/** The responses API of OpenAI: for web searches there, and for some custom providers. */
public record Responses() implements ModelFormat {
    /** Additional part of the response; models that do not reason reject the option. */
    static final String REASONING = "reasoning.encrypted_content";

    @Override
    public ObjectNode write(String model, ModelRequest request) {
        var body = Json.object().put("model", model).put("store", false);
        if (!request.system().isBlank()) {
            body.put("instructions", request.system());
        }
        var input = body.putArray("input");
        request.messages().forEach(message -> add(input, message));
        request.maxOutputTokens().ifPresent(max -> body.put("max_output_tokens", max));
        request.temperature().ifPresent(temperature -> body.put("temperature", temperature));
        var tools = Json.array();
        request.tools().forEach(tool -> {
            var written = tools.addObject().put("type", "function").put("name", tool.name());
            written.put("description", tool.description()).set("parameters", tool.schema());
        });
        request.webSearch().ifPresent(options -> {
            var search = tools.addObject()
                    .put("type", "web_search_preview")
                    .put(
                            "search_context_size",
                            options.path("searchContextSize").asText("medium"));
            SearchOptions.location(options).ifPresent(location -> search.set("user_location", location));
        });
        if (!request.tools().isEmpty()) {
            // The provider stores nothing: encrypted reasoning is sent back with the results of calls.
            body.putArray("include").add(REASONING);
        }
        if (!tools.isEmpty()) {
            body.set("tools", tools);
            switch (request.use()) {
                case ToolUse.Free _ -> body.put("tool_choice", "auto");
                case ToolUse.Barred _ -> body.put("tool_choice", "none");
                case ToolUse.Forced(var name) ->
                    body.putObject("tool_choice").put("type", "function").put("name", name);
            }
        }
        return body;
    }

    private static void add(ArrayNode input, ModelMessage message) {
        switch (message) {
            case ModelMessage.UserMessage(var text, var files) -> {
                var parts = input.addObject().put("role", "user").putArray("content");
                parts.addObject().put("type", "input_text").put("text", text);
                files.forEach(file -> add(parts, file));
            }
            case ModelMessage.AssistantMessage(var _, var _, ArrayNode raw) -> input.addAll(raw);
            case ModelMessage.AssistantMessage(var text, var calls, var _) -> {
                if (!text.isEmpty()) {
                    input.addObject().put("role", "assistant").put("content", text);
                }
                calls.forEach(call -> input.addObject()
                        .put("type", "function_call")
                        .put("call_id", call.id())
                        .put("name", ToolNames.accepted(call.name()))
                        .put("arguments", Json.text(call.arguments())));
            }
            case ModelMessage.ToolResultMessage(var request, var text, var _) ->
                input.addObject()
                        .put("type", "function_call_output")
                        .put("call_id", request.id())
                        .put("output", text);
        }
    }

    private static void add(ArrayNode parts, ModelFile file) {
        var url = "data:" + file.mimeType() + ";base64,"
                + Base64.getEncoder().encodeToString(file.data().getBytes());
        if (file.isImage()) {
            parts.addObject().put("type", "input_image").put("image_url", url);
        } else {
            parts.addObject()
                    .put("type", "input_file")
                    .put("filename", "document")
                    .put("file_data", url);
        }
    }

    @Override
    public ModelResponse read(JsonNode body) {
        var output = body.path("output");
        if (!output.isArray()) {
            throw new IllegalArgumentException("expected an output, found none");
        }
        var text = new StringBuilder();
        var thoughts = new StringBuilder();
        var refused = false;
        var calls = new ToolArguments();
        var kept = Json.array();
        var sources = new CitedSources();
        for (var item : output) {
            if (item.path("type").asText("").equals("function_call")) {
                kept.add(readCall((ObjectNode) item.deepCopy(), calls));
                continue;
            }
            kept.add(item);
            if (item.path("type").asText("").equals("reasoning")) {
                item.path("summary")
                        .forEach(part -> thoughts.append(part.path("text").asText("")));
                item.path("content")
                        .forEach(part -> thoughts.append(part.path("text").asText("")));
                continue;
            }
            for (var part : item.path("content")) {
                refused |= part.has("refusal");
                text.append(part.path("text").asText(part.path("refusal").asText("")));
                part.path("annotations")
                        .forEach(
                                annotation -> sources.add(annotation.path("url").asText("")));
            }
        }
        var answer = ThoughtSplitter.split(text.toString());
        var cut = body.at("/incomplete_details/reason").asText("").equals("max_output_tokens");
        return new ModelResponse(
                        answer.text(),
                        calls.calls(),
                        refused ? Ending.REFUSED : cut ? Ending.CUT_OFF : Ending.WHOLE,
                        body.at("/usage/input_tokens").asLong(),
                        body.at("/usage/output_tokens").asLong(),
                        sources.urls(),
                        kept)
                .thinking(thoughts.toString(), answer.thoughts());
    }

    /** Adds a call, and completes the item so that it can be sent back. Some servers identify a call by its item only. */
    private static ObjectNode readCall(ObjectNode item, ToolArguments calls) {
        var call = calls.add(
                item.path("call_id").asText(item.path("id").asText("")),
                item.path("name").asText(""),
                item.path("arguments"));
        return item.put("call_id", call.id())
                .put("name", ToolNames.accepted(call.name()))
                .put("arguments", Json.text(call.arguments()));
    }

    @Override
    public Optional<StreamedFormat> streamed() {
        return Optional.of(new StreamedResponses());
    }
}
