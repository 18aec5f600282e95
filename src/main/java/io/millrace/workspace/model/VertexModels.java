package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.CloudSigner;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.workspace.model.format.AnthropicMessages;
import io.millrace.workspace.model.format.ChatCompletions;
import io.millrace.workspace.model.format.GoogleContents;
import io.millrace.workspace.model.format.ModelFormat;
import io.millrace.workspace.model.format.StreamedCompletions;
import io.millrace.workspace.model.format.StreamedFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Models of Vertex AI, in the format of the publisher: those of Google by contents, Claude by messages, all others in chat
 * completions (contract agents 4.1).
 */
final class VertexModels {
    private static final ModelFormat GOOGLE = new GoogleContents();
    private static final ModelFormat CLAUDE = new Claude(new AnthropicMessages());
    private static final ModelFormat OTHERS =
            new Completions(new ChatCompletions("max_tokens", false, new StreamedCompletions(true)));

    /** Prefixes of names of models that are offered as a service, with their publishers. */
    private static final Map<String, String> PUBLISHERS = Map.of(
            "llama", "meta",
            "mistral", "mistralai",
            "deepseek", "deepseek-ai",
            "qwen", "qwen",
            "gpt-oss", "openai",
            "kimi", "moonshotai",
            "minimax", "minimaxai",
            "glm", "zai-org");

    private VertexModels() {}

    static String base(JsonNode config, UnaryOperator<String> origins) {
        var region = config.path("region").asText();
        var host = region.equals("global") ? "aiplatform.googleapis.com" : region + "-aiplatform.googleapis.com";
        return origins.apply(host) + "/v1/projects/" + config.path("project").asText() + "/locations/" + region;
    }

    static ModelFormat formatOf(String model) {
        if (isClaude(model)) {
            return CLAUDE;
        }
        return isOther(model) ? OTHERS : GOOGLE;
    }

    static String path(String model, boolean streamed) {
        var encoded = CloudSigner.encoded(model);
        if (isClaude(model)) {
            return "/publishers/anthropic/models/" + encoded + (streamed ? ":streamRawPredict" : ":rawPredict");
        }
        return isOther(model)
                ? "/endpoints/openapi/chat/completions"
                : "/publishers/google/models/" + encoded + GoogleContents.method(streamed);
    }

    private static boolean isClaude(String model) {
        return model.startsWith("claude");
    }

    private static boolean isOther(String model) {
        return model.contains("/") || model.endsWith("-maas");
    }

    private static String published(String model) {
        return model.contains("/")
                ? model
                : PUBLISHERS.entrySet().stream()
                        .filter(known -> model.startsWith(known.getKey()))
                        .findFirst()
                        .map(known -> known.getValue() + "/" + model)
                        .orElse(model);
    }

    /** The body names the API version; only the path names the model. */
    private record Claude(ModelFormat messages) implements ModelFormat {
        @Override
        public ObjectNode write(String model, ModelRequest request) {
            var body = messages.write(model, request).put("anthropic_version", "vertex-2023-10-16");
            body.remove("model");
            return body;
        }

        @Override
        public ModelResponse read(JsonNode body) {
            return messages.read(body);
        }

        @Override
        public Optional<StreamedFormat> streamed() {
            return messages.streamed();
        }
    }

    /** The model is prefixed with its publisher. */
    private record Completions(ModelFormat completions) implements ModelFormat {
        @Override
        public ObjectNode write(String model, ModelRequest request) {
            return completions.write(published(model), request);
        }

        @Override
        public ModelResponse read(JsonNode body) {
            return completions.read(body);
        }

        @Override
        public Optional<StreamedFormat> streamed() {
            return completions.streamed();
        }
    }
}
