package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.text.HeaderRule;
import io.millrace.base.net.WebAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Config and auth of a provider in the form of its vendor (contract admin-api 28.1). A value that becomes part of a host or
 * of a path may have only characters that need no encoding there.
 */
final class AiSettings {
    private static final Pattern HOST_LABEL = Pattern.compile("^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$");
    private static final Pattern SEGMENT = Pattern.compile("^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$");
    /** The two formats of OpenAI, one of which a custom provider uses. */
    private static final List<String> API_STYLES = List.of("chat", "responses");

    private static final Pattern GOOGLE_NAME = Pattern.compile("^[a-z0-9][a-z0-9-]{0,62}$");
    private static final int ACCOUNT_LENGTH_MAX = 16_384;
    private static final int MODELS_MAX = 1_000;
    private static final int TEXT_LENGTH_MAX = 4_096;

    private AiSettings() {}

    static ObjectNode config(AiVendor vendor, Fields config) {
        return switch (vendor) {
            case OPENAI,
                    OPENROUTER,
                    ANTHROPIC,
                    GOOGLE,
                    MISTRAL,
                    ACTIVEPIECES,
                    XAI,
                    DEEPSEEK,
                    ZAI,
                    QWEN,
                    MINIMAX,
                    MOONSHOT -> Json.object();
            case AZURE ->
                filledIn(
                        Json.object().put("resourceName", config.text("resourceName", HOST_LABEL)),
                        "apiVersion",
                        config);
            case BEDROCK -> Json.object().put("region", config.text("region", HOST_LABEL));
            case CLOUDFLARE_GATEWAY -> gateway(config);
            case CUSTOM -> custom(config);
            case VERTEX -> vertex(config);
        };
    }

    private static ObjectNode vertex(Fields config) {
        var json = Json.object()
                .put("project", config.text("project", GOOGLE_NAME))
                .put("region", config.text("region", GOOGLE_NAME));
        addModels(json, config);
        return json;
    }

    private static ObjectNode gateway(Fields config) {
        var json = Json.object()
                .put("accountId", config.text("accountId", SEGMENT))
                .put("gatewayId", config.text("gatewayId", SEGMENT));
        addModels(json, config);
        filledIn(json, "vertexProject", config);
        return filledIn(json, "vertexRegion", config);
    }

    private static ObjectNode custom(Fields config) {
        var json = Json.object()
                .put("baseUrl", filled(config, "baseUrl"))
                .put("apiKeyHeader", filled(config, "apiKeyHeader"));
        addModels(json, config);
        config.optionalObject("defaultHeaders").ifPresent(headers -> {
            var read = Fields.of("body", headers);
            headers.fieldNames().forEachRemaining(read::text);
            if (!read.isSound()) {
                config.refuse("defaultHeaders", "Invalid input: expected texts by name");
            }
            json.set("defaultHeaders", headers);
        });
        config.optionalText("apiStyle").ifPresent(style -> {
            if (!API_STYLES.contains(style)) {
                config.refuse("apiStyle", "Invalid option: expected one of \"chat\"|\"responses\"");
            }
            json.put("apiStyle", style);
        });
        config.optionalText("embeddingModel")
                .filter(name -> !name.isBlank())
                .ifPresent(name -> json.put("embeddingModel", config.text("embeddingModel", 1, TEXT_LENGTH_MAX)));
        return json;
    }

    private static void addModels(ObjectNode json, Fields config) {
        var given = config.array("models");
        if (given.size() > MODELS_MAX) {
            config.refuse("models", "Too big: expected array to have <=" + MODELS_MAX + " items");
            return;
        }
        var models = json.putArray("models");
        for (var index = 0; index < given.size(); index++) {
            var model = config.element("models", index, given.get(index));
            var type = model.text("modelType");
            if (model.raw("modelType").isTextual() && !isModelType(type)) {
                model.refuse("modelType", "Invalid option: expected one of \"text\"|\"image\"");
            }
            models.addObject()
                    .put("modelId", filled(model, "modelId"))
                    .put("modelName", model.text("modelName"))
                    .put("modelType", type);
        }
    }

    private static boolean isModelType(String word) {
        return word.equals(AiModel.Type.TEXT.word()) || word.equals(AiModel.Type.IMAGE.word());
    }

    /** An optional part of an address; a blank one counts as absent. */
    private static ObjectNode filledIn(ObjectNode json, String name, Fields config) {
        if (config.optionalText(name).filter(text -> !text.isBlank()).isPresent()) {
            json.put(name, config.text(name, SEGMENT));
        }
        return json;
    }

    static ObjectNode auth(AiVendor vendor, Fields auth) {
        return switch (vendor) {
            case OPENAI,
                    OPENROUTER,
                    ANTHROPIC,
                    GOOGLE,
                    MISTRAL,
                    AZURE,
                    CLOUDFLARE_GATEWAY,
                    CUSTOM,
                    XAI,
                    DEEPSEEK,
                    ZAI,
                    QWEN,
                    MINIMAX,
                    MOONSHOT -> Json.object().put("apiKey", credential(auth, "apiKey"));
            case BEDROCK ->
                Json.object()
                        .put("accessKeyId", credential(auth, "accessKeyId"))
                        .put("secretAccessKey", filled(auth, "secretAccessKey"));
            case VERTEX ->
                Json.object().put("serviceAccountJson", auth.text("serviceAccountJson", 1, ACCOUNT_LENGTH_MAX));
            case ACTIVEPIECES -> Json.object();
        };
    }

    private static String credential(Fields auth, String name) {
        var text = filled(auth, name);
        if (!HeaderRule.isValue(text)) {
            auth.refuse(name, "Invalid string: expected one line of Latin-1 text, as a header carries it");
        }
        return text;
    }

    private static String filled(Fields fields, String name) {
        return fields.text(name, 1, TEXT_LENGTH_MAX);
    }

    /**
     * Problem of the address and the header of a custom provider, with the field's name (seed, errors), or of the account of
     * a vendor that has accounts.
     */
    static Optional<String> problemOf(AiVendor vendor, ObjectNode config, ObjectNode auth) {
        if (vendor == AiVendor.VERTEX) {
            return GoogleTokens.problemOf(auth.path("serviceAccountJson").asText());
        }
        if (vendor != AiVendor.CUSTOM) {
            return Optional.empty();
        }
        if (!isUrl(config.path("baseUrl").asText())) {
            return Optional.of("baseUrl must be a full URL with its scheme, for example https://models.example.com/v1");
        }
        var header = config.path("apiKeyHeader").asText();
        if (!isHeader(header, "") || header.equals(auth.path("apiKey").asText())) {
            return Optional.of("apiKeyHeader must be the name of a header and nothing more, for example Authorization;"
                    + " the key itself goes into apiKey");
        }
        return config.path("defaultHeaders").properties().stream()
                .filter(field -> !isHeader(field.getKey(), field.getValue().asText()))
                .findFirst()
                .map(_ -> "defaultHeaders must have names of headers, each with a value of printable characters");
    }

    private static boolean isUrl(String text) {
        try {
            WebAddress.parse(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isHeader(String name, String value) {
        return HeaderRule.isName(name) && HeaderRule.isValue(value);
    }
}
