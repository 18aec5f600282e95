package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.net.CloudSigner;
import io.millrace.piece.model.ModelDrawing;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

enum ModelImages {
    /** A separate API for images, which accepts no input images. */
    GENERATIONS {
        @Override
        String path(String model, ModelDrawing wanted) {
            return "/images/generations";
        }

        @Override
        ObjectNode write(String model, ModelDrawing wanted) {
            var body = Json.object()
                    .put("model", model)
                    .put("prompt", wanted.prompt())
                    .put("n", 1);
            OPTIONS.forEach(option -> {
                var value = wanted.options().path(option).asText("");
                if (!value.isBlank()) {
                    body.put(option, value);
                }
            });
            if (model.startsWith("dall-e")) {
                body.put("response_format", "b64_json");
            }
            return body;
        }

        @Override
        Optional<String> read(JsonNode body) {
            return Optional.of(body.at("/data/0/b64_json").asText("")).filter(text -> !text.isEmpty());
        }
    },
    /** A chat whose response is an image. */
    CHAT {
        @Override
        String path(String model, ModelDrawing wanted) {
            return "/chat/completions";
        }

        @Override
        ObjectNode write(String model, ModelDrawing wanted) {
            var body = Json.object().put("model", model);
            body.putArray("modalities").add("image").add("text");
            var parts =
                    body.putArray("messages").addObject().put("role", "user").putArray("content");
            parts.addObject().put("type", "text").put("text", wanted.prompt());
            wanted.inputs()
                    .forEach(file -> parts.addObject()
                            .put("type", "image_url")
                            .putObject("image_url")
                            .put(
                                    "url",
                                    "data:" + file.mimeType() + ";base64,"
                                            + Base64.getEncoder()
                                                    .encodeToString(file.data().getBytes())));
            return body;
        }

        @Override
        Optional<String> read(JsonNode body) {
            var url = body.at("/choices/0/message/images/0/image_url/url").asText("");
            return Optional.of(url.substring(url.indexOf(',') + 1)).filter(text -> !text.isEmpty());
        }
    },
    CONTENTS {
        @Override
        String path(String model, ModelDrawing wanted) {
            return "/models/" + CloudSigner.encoded(model) + ":generateContent";
        }

        @Override
        ObjectNode write(String model, ModelDrawing wanted) {
            var body = Json.object();
            var parts =
                    body.putArray("contents").addObject().put("role", "user").putArray("parts");
            parts.addObject().put("text", wanted.prompt());
            wanted.inputs()
                    .forEach(file -> parts.addObject()
                            .putObject("inlineData")
                            .put("mimeType", file.mimeType())
                            .put(
                                    "data",
                                    Base64.getEncoder()
                                            .encodeToString(file.data().getBytes())));
            body.putObject("generationConfig")
                    .putArray("responseModalities")
                    .add("TEXT")
                    .add("IMAGE");
            return body;
        }

        @Override
        Optional<String> read(JsonNode body) {
            return body.at("/candidates/0/content/parts")
                    .valueStream()
                    .map(part -> part.at("/inlineData/data").asText(""))
                    .filter(text -> !text.isEmpty())
                    .findFirst();
        }
    };

    private static final List<String> OPTIONS = List.of("quality", "size", "background");

    abstract String path(String model, ModelDrawing wanted);

    abstract ObjectNode write(String model, ModelDrawing wanted);

    /** The image in base 64; empty when there is none. */
    abstract Optional<String> read(JsonNode body);

    /**
     * Bytes of an image.
     *
     * @throws IllegalArgumentException when the text is not Base64
     */
    static byte[] decoded(String text) {
        return Base64Text.decoded("the image", text);
    }

    /** Empty for a provider without image models (contract agents 4.4). */
    static Optional<ModelImages> of(String provider) {
        return switch (provider) {
            case "openai" -> Optional.of(GENERATIONS);
            case "openrouter", "activepieces", "custom", "cloudflare-gateway" -> Optional.of(CHAT);
            case "google" -> Optional.of(CONTENTS);
            case String _ -> Optional.empty();
        };
    }
}
