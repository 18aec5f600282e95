package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.aiprovider.ProviderAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chat models that are offered when the platform has selected none (contract agents 4.4, admin-api 28.2). */
final class OfferedModels {
    static final List<String> ON_CREDITS = List.of(
            "anthropic/claude-sonnet-4.6",
            "anthropic/claude-opus-4.7",
            "anthropic/claude-opus-4.8",
            "anthropic/claude-haiku-4.5",
            "openai/gpt-5.5",
            "openai/gpt-5.4-mini",
            "openai/gpt-5.4-nano",
            "openai/gpt-4.1",
            "openai/gpt-4.1-mini",
            "google/gemini-2.5-pro",
            "google/gemini-2.5-flash",
            "google/gemini-3.7-flash",
            "google/gemini-3.1-pro-preview",
            "google/gemini-3-flash-preview",
            "x-ai/grok-4.20",
            "x-ai/grok-4.1-fast");

    /**
     * Alias of the best model of a price class of the credits.
     *
     * @param id used by steps
     */
    record Tier(String id, String label, String model) {}

    static final List<Tier> TIERS = List.of(
            new Tier("fast", "Fast", "anthropic/claude-haiku-4.5"),
            new Tier("smart", "Smart", "anthropic/claude-sonnet-4.6"),
            new Tier("premium", "Premium", "anthropic/claude-opus-4.8"));

    private static final Map<String, String> USUAL = Map.of(
            "activepieces", "anthropic/claude-sonnet-4.6",
            "openrouter", "anthropic/claude-sonnet-4.6",
            "openai", "gpt-5.5",
            "anthropic", "claude-sonnet-4-6",
            "google", "gemini-2.5-pro",
            "vertex", "gemini-2.5-pro");

    /** Credits are used at OpenRouter, which names the vendor of each model. */
    private static final Map<String, String> EMBEDDING = Map.of(
            "openai", "text-embedding-3-small",
            "azure", "text-embedding-3-small",
            "activepieces", "openai/text-embedding-3-small",
            "openrouter", "openai/text-embedding-3-small",
            "google", "text-embedding-004");

    private static final int CONTEXT = 128_000;
    private static final Map<String, Integer> CONTEXTS = Map.of(
            "anthropic",
            200_000,
            "bedrock",
            200_000,
            "activepieces",
            200_000,
            "google",
            1_048_576,
            "vertex",
            1_048_576);

    private OfferedModels() {}

    static Optional<String> onCredits(String name) {
        return TIERS.stream()
                .filter(tier -> tier.id().equals(name))
                .map(Tier::model)
                .findFirst()
                .or(() -> Optional.of(name).filter(ON_CREDITS::contains));
    }

    static ArrayNode ofCredits() {
        var all = tiers();
        ON_CREDITS.forEach(model -> addText(all, model, model));
        return all;
    }

    static ArrayNode tiers() {
        var all = Json.array();
        TIERS.forEach(tier -> addText(all, tier.id(), tier.label()));
        return all;
    }

    private static void addText(ArrayNode all, String id, String name) {
        all.addObject().put("id", id).put("name", name).put("type", "text");
    }

    static Optional<String> usual(String provider) {
        return Optional.ofNullable(USUAL.get(provider));
    }

    static Optional<String> embedding(ProviderAccess access) {
        return Optional.ofNullable(EMBEDDING.get(access.provider()))
                .or(() -> Optional.of(access.config().path("embeddingModel").asText(""))
                        .filter(name -> access.provider().equals("custom") && !name.isBlank()));
    }

    static int contextTokens(String provider) {
        return CONTEXTS.getOrDefault(provider, CONTEXT);
    }
}
