package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Selects a model; empty fields are resolved to the platform's defaults.
 *
 * @param provider empty for the provider that the platform uses for chats
 * @param configId pins one key of the provider
 * @param model empty for the provider's usual model
 */
public record ModelSelector(Optional<String> provider, Optional<String> configId, Optional<String> model) {
    /**
     * Parses the form in steps: a provider's name, or {@code {provider, configId?}} (contract agents 3.1).
     *
     * @param model text of the model, blank for none
     */
    public static ModelSelector of(JsonNode provider, String model) {
        return new ModelSelector(
                given(provider.isObject() ? provider.path("provider") : provider),
                given(provider.path("configId")),
                Optional.ofNullable(model).filter(text -> !text.isBlank()));
    }

    private static Optional<String> given(JsonNode value) {
        return Optional.of(value.asText("")).filter(text -> value.isTextual() && !text.isBlank());
    }
}
