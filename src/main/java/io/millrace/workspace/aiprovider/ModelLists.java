package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Parsers of the vendors' lists of models. Pure. */
final class ModelLists {
    /** Models of OpenAI that are neither for chats nor for images. */
    private static final Pattern OTHER_OPENAI = Pattern.compile(
            "embedding|whisper|tts|moderation|transcribe|realtime|audio|sora|^(text-|code-)?(davinci|babbage|curie|ada)");

    private static final Pattern DRAWS = Pattern.compile("^(dall-e|gpt-image|chatgpt-image|imagen)|-image(-|$)");

    private ModelLists() {}

    static List<AiModel> openAi(JsonNode answer) {
        return each(answer.path("data"), model -> {
            var id = model.path("id").asText();
            return OTHER_OPENAI.matcher(id).find() ? Optional.empty() : Optional.of(byName(id, id));
        });
    }

    static List<AiModel> xai(JsonNode answer) {
        return each(answer.path("models"), model -> {
            var id = model.path("id").asText();
            return Optional.of(AiModel.text(id, id));
        });
    }

    static List<AiModel> anthropic(JsonNode answer) {
        return each(
                answer.path("data"),
                model -> Optional.of(AiModel.text(model.path("id").asText(), text(model, "display_name", "id"))));
    }

    /** Only models for text or images; the name of a model is a path. */
    static List<AiModel> google(JsonNode answer) {
        return each(answer.path("models"), model -> {
            var id = model.path("name").asText().replaceFirst("^models/", "");
            var methods = model.path("supportedGenerationMethods").toString();
            return methods.contains("\"generateContent\"") || methods.contains("\"predict\"")
                    ? Optional.of(byName(id, model.path("displayName").asText(id)))
                    : Optional.empty();
        });
    }

    static List<AiModel> openRouter(JsonNode answer) {
        return each(answer.path("data"), model -> {
            var draws = model.path("architecture")
                    .path("output_modalities")
                    .toString()
                    .contains("\"image\"");
            return Optional.of(new AiModel(
                    model.path("id").asText(),
                    text(model, "name", "id"),
                    draws ? AiModel.Type.IMAGE : AiModel.Type.TEXT));
        });
    }

    static List<AiModel> mistral(JsonNode answer) {
        return each(
                answer.path("data"),
                model -> model.path("capabilities").path("completion_chat").asBoolean(true)
                        ? Optional.of(AiModel.text(model.path("id").asText(), text(model, "name", "id")))
                        : Optional.empty());
    }

    /** Deployments, or the models of a resource that lists no deployments. */
    static List<AiModel> azure(JsonNode answer) {
        return each(answer.path("data"), model -> {
            var id = model.path("id").asText();
            return OTHER_OPENAI.matcher(text(model, "model", "id")).find()
                    ? Optional.empty()
                    : Optional.of(byName(id, id));
        });
    }

    /**
     * Active models; one that is only available through an inference profile is identified by the profile's id.
     *
     * @param profiles may be an empty object: not every key may list them
     */
    static List<AiModel> bedrock(JsonNode answer, JsonNode profiles) {
        var profileOfModel = new HashMap<String, String>();
        for (var profile : profiles.path("inferenceProfileSummaries")) {
            for (var model : profile.path("models")) {
                profileOfModel.putIfAbsent(
                        model.path("modelArn").asText(),
                        profile.path("inferenceProfileId").asText());
            }
        }
        return each(answer.path("modelSummaries"), model -> {
            var id = profileOfModel.getOrDefault(
                    model.path("modelArn").asText(), model.path("modelId").asText());
            var makes = model.path("outputModalities").toString();
            if (!model.path("modelLifecycle").path("status").asText().equals("ACTIVE")) {
                return Optional.empty();
            }
            var type = makes.contains("\"IMAGE\"") ? AiModel.Type.IMAGE : AiModel.Type.TEXT;
            return type == AiModel.Type.IMAGE || makes.contains("\"TEXT\"")
                    ? Optional.of(new AiModel(id, text(model, "modelName", "modelId"), type))
                    : Optional.empty();
        });
    }

    static List<AiModel> configured(JsonNode config) {
        return each(
                config.path("models"),
                model -> Optional.of(new AiModel(
                        model.path("modelId").asText(),
                        text(model, "modelName", "modelId"),
                        model.path("modelType").asText().equals(AiModel.Type.IMAGE.word())
                                ? AiModel.Type.IMAGE
                                : AiModel.Type.TEXT)));
    }

    private static List<AiModel> each(JsonNode array, Function<JsonNode, Optional<AiModel>> read) {
        var models = new ArrayList<AiModel>();
        for (var item : array) {
            read.apply(item).filter(model -> !model.id().isEmpty()).ifPresent(models::add);
        }
        return List.copyOf(models);
    }

    private static AiModel byName(String id, String name) {
        return new AiModel(id, name, DRAWS.matcher(id).find() ? AiModel.Type.IMAGE : AiModel.Type.TEXT);
    }

    private static String text(JsonNode model, String name, String otherwise) {
        var text = model.path(name).asText("");
        return text.isEmpty() ? model.path(otherwise).asText() : text;
    }
}
