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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Optional;

public record GoogleContents() implements ModelFormat {
    public static String method(boolean streamed) {
        return streamed ? ":streamGenerateContent?alt=sse" : ":generateContent";
    }

    @Override
    public ObjectNode write(String model, ModelRequest request) {
        var body = Json.object();
        if (!request.system().isBlank()) {
            body.putObject("systemInstruction").putArray("parts").addObject().put("text", request.system());
        }
        var contents = body.putArray("contents");
        request.messages().forEach(message -> add(contents, message));
        var generation = Json.object();
        request.maxOutputTokens().ifPresent(max -> generation.put("maxOutputTokens", max));
        request.temperature().ifPresent(temperature -> generation.put("temperature", temperature));
        if (!generation.isEmpty()) {
            body.set("generationConfig", generation);
        }
        addTools(body, request);
        return body;
    }

    private static void add(ArrayNode contents, ModelMessage message) {
        switch (message) {
            case ModelMessage.UserMessage(var text, var files) -> {
                var parts = partsOf(contents, "user");
                files.forEach(file -> add(parts, file));
                parts.addObject().put("text", text);
            }
            case ModelMessage.AssistantMessage(var _, var _, ArrayNode raw) ->
                partsOf(contents, "model").addAll(raw);
            case ModelMessage.AssistantMessage(var text, var calls, var _) -> {
                var parts = partsOf(contents, "model");
                if (!text.isBlank()) {
                    parts.addObject().put("text", text);
                }
                calls.forEach(call -> parts.addObject()
                        .putObject("functionCall")
                        .put("name", ToolNames.accepted(call.name()))
                        .set("args", call.arguments()));
            }
            case ModelMessage.ToolResultMessage(var request, var text, var failed) -> {
                var hasId = hasCall(contents, request.id());
                var response = partsOf(contents, "user").addObject().putObject("functionResponse");
                if (hasId) {
                    response.put("id", request.id());
                }
                response.put("name", ToolNames.accepted(request.name()))
                        .putObject("response")
                        .put(failed ? "error" : "result", text);
            }
        }
    }

    /** True if a call was sent with this id: its result has to name it then. */
    private static boolean hasCall(ArrayNode contents, String id) {
        return contents.valueStream()
                .flatMap(content -> content.path("parts").valueStream())
                .anyMatch(part -> part.at("/functionCall/id").asText("").equals(id));
    }

    private static ArrayNode partsOf(ArrayNode contents, String role) {
        if (!contents.isEmpty()
                && contents.get(contents.size() - 1).path("role").asText().equals(role)) {
            return (ArrayNode) contents.get(contents.size() - 1).get("parts");
        }
        return contents.addObject().put("role", role).putArray("parts");
    }

    private static void add(ArrayNode parts, ModelFile file) {
        parts.addObject()
                .putObject("inlineData")
                .put("mimeType", file.mimeType())
                .put("data", Base64.getEncoder().encodeToString(file.data().getBytes()));
    }

    private static void addTools(ObjectNode body, ModelRequest request) {
        var tools = Json.array();
        if (!request.tools().isEmpty()) {
            var declared = tools.addObject().putArray("functionDeclarations");
            request.tools().forEach(tool -> {
                var written = declared.addObject().put("name", tool.name()).put("description", tool.description());
                if (!tool.schema().path("properties").isEmpty()) {
                    written.set("parameters", GoogleSchema.of(tool.schema()));
                }
            });
            var calling = body.putObject("toolConfig").putObject("functionCallingConfig");
            switch (request.use()) {
                case ToolUse.Free _ -> calling.put("mode", "AUTO");
                case ToolUse.Barred _ -> calling.put("mode", "NONE");
                case ToolUse.Forced(var name) ->
                    calling.put("mode", "ANY").putArray("allowedFunctionNames").add(name);
            }
        }
        request.webSearch().ifPresent(_ -> tools.addObject().putObject("google_search"));
        if (!tools.isEmpty()) {
            body.set("tools", tools);
        }
    }

    @Override
    public ModelResponse read(JsonNode body) {
        var candidate = body.path("candidates").path(0);
        var blocked = body.at("/promptFeedback/blockReason").asText("");
        if (!candidate.isObject() && blocked.isEmpty()) {
            throw new IllegalArgumentException("expected a candidate, found none");
        }
        var text = new StringBuilder();
        var thoughts = new StringBuilder();
        var calls = new ToolArguments();
        var kept = Json.array();
        for (var part : candidate.at("/content/parts")) {
            if (part.path("functionCall").isObject()) {
                kept.add(readCall((ObjectNode) part.deepCopy(), calls));
                continue;
            }
            kept.add(part);
            (part.path("thought").asBoolean(false) ? thoughts : text)
                    .append(part.path("text").asText(""));
        }
        var answer = ThoughtSplitter.split(text.toString());
        var sources = new ArrayList<String>();
        candidate
                .at("/groundingMetadata/groundingChunks")
                .forEach(chunk -> sources.add(chunk.at("/web/uri").asText("")));
        return new ModelResponse(
                        blocked.isEmpty() ? answer.text() : "The request was blocked: " + blocked,
                        calls.calls(),
                        blocked.isEmpty()
                                ? ending(candidate.path("finishReason").asText(""))
                                : Ending.REFUSED,
                        body.at("/usageMetadata/promptTokenCount").asLong(),
                        body.at("/usageMetadata/candidatesTokenCount").asLong()
                                + body.at("/usageMetadata/thoughtsTokenCount").asLong(),
                        sources.stream()
                                .filter(url -> !url.isEmpty())
                                .distinct()
                                .toList(),
                        kept)
                .thinking(thoughts.toString(), answer.thoughts());
    }

    /**
     * Adds a call, and completes the part so that it can be sent back: with an object of arguments, and its id if it had one.
     */
    private static ObjectNode readCall(ObjectNode part, ToolArguments calls) {
        var call = (ObjectNode) part.path("functionCall");
        var added = calls.add(call.path("id").asText(""), call.path("name").asText(""), call.path("args"));
        if (call.path("id").isTextual()) {
            call.put("id", added.id());
        }
        call.put("name", ToolNames.accepted(added.name())).set("args", added.arguments());
        return part;
    }

    @Override
    public Optional<StreamedFormat> streamed() {
        return Optional.of(new StreamedContents());
    }

    private static Ending ending(String reason) {
        return switch (reason) {
            case "MAX_TOKENS" -> Ending.CUT_OFF;
            case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII" -> Ending.REFUSED;
            default -> Ending.WHOLE;
        };
    }
}
