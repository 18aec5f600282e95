package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.CloudSigner;
import io.millrace.piece.model.ModelVectors;
import io.millrace.workspace.aiprovider.ProviderAccess;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

enum ModelEmbeddings {
    /** Format of OpenAI and most compatible providers. */
    LIST {
        @Override
        String path(ProviderAccess access, String model) {
            return "/embeddings";
        }
    },
    /** Format of OpenAI, addressed by the name of a deployment. */
    DEPLOYMENT {
        @Override
        String path(ProviderAccess access, String model) {
            return ModelEndpoint.deployment(access, model, "embeddings");
        }
    },
    CONTENTS {
        @Override
        String path(ProviderAccess access, String model) {
            return "/models/" + CloudSigner.encoded(model) + ":batchEmbedContents";
        }

        @Override
        ObjectNode write(String model, List<String> texts) {
            var body = Json.object();
            var requests = body.putArray("requests");
            texts.forEach(text -> {
                var request = requests.addObject().put("model", "models/" + model);
                request.putObject("content").putArray("parts").addObject().put("text", text);
            });
            return body;
        }

        @Override
        ModelVectors read(JsonNode body, int count) {
            var vectors = new float[count][];
            var index = 0;
            for (var item : body.path("embeddings")) {
                put(vectors, index++, item.path("values"));
            }
            return complete(vectors, 0);
        }
    };

    abstract String path(ProviderAccess access, String model);

    ObjectNode write(String model, List<String> texts) {
        var body = Json.object().put("model", model).put("encoding_format", "float");
        texts.forEach(body.putArray("input")::add);
        return body;
    }

    /**
     * Fails with IllegalArgumentException when a vector is missing or too short.
     *
     * @param count of texts
     */
    ModelVectors read(JsonNode body, int count) {
        var vectors = new float[count][];
        var place = 0;
        for (var item : body.path("data")) {
            put(vectors, item.path("index").asInt(place), item.path("embedding"));
            place++;
        }
        var usage = body.path("usage");
        return complete(
                vectors,
                usage.path("prompt_tokens").asLong(usage.path("total_tokens").asLong()));
    }

    private static void put(float[][] vectors, int index, JsonNode numbers) {
        if (index < 0 || index >= vectors.length) {
            throw new IllegalArgumentException("expected a vector for each text, found more");
        }
        if (numbers.size() < ModelVectors.DIMENSIONS) {
            throw new IllegalArgumentException(
                    "expected vectors of at least " + ModelVectors.DIMENSIONS + " numbers, found " + numbers.size());
        }
        vectors[index] = unit(numbers);
    }

    /** Normalizes a truncated vector to unit length. */
    private static float[] unit(JsonNode numbers) {
        var vector = new float[ModelVectors.DIMENSIONS];
        var squares = 0.0;
        for (var index = 0; index < vector.length; index++) {
            if (!numbers.get(index).isNumber()) {
                throw new IllegalArgumentException("expected vectors of numbers");
            }
            vector[index] = numbers.get(index).floatValue();
            squares += vector[index] * (double) vector[index];
        }
        var length = Math.sqrt(squares);
        if (length == 0 || !Double.isFinite(length)) {
            throw new IllegalArgumentException("expected vectors other than zero");
        }
        for (var index = 0; index < vector.length; index++) {
            vector[index] = (float) (vector[index] / length);
        }
        return vector;
    }

    private static ModelVectors complete(float[][] vectors, long tokens) {
        if (Arrays.stream(vectors).anyMatch(vector -> vector == null)) {
            throw new IllegalArgumentException("expected a vector for each text, found fewer");
        }
        return new ModelVectors(List.of(vectors), tokens, OptionalDouble.empty());
    }

    /** Format of a provider; empty for a provider without embeddings (contract agents 4.4). */
    static Optional<ModelEmbeddings> of(String provider) {
        return switch (provider) {
            case "openai", "openrouter", "activepieces", "custom" -> Optional.of(LIST);
            case "azure" -> Optional.of(DEPLOYMENT);
            case "google" -> Optional.of(CONTENTS);
            case String _ -> Optional.empty();
        };
    }
}
