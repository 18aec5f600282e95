package io.millrace.workspace.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which chat models there are where nobody has named one (contract agents 4.4, admin-api 28.2). */
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

    private static final Map<String, String> TIERS = Map.of(
            "fast", "anthropic/claude-haiku-4.5",
            "smart", "anthropic/claude-sonnet-4.6",
            "premium", "anthropic/claude-opus-4.8");

    private static final Map<String, String> USUAL = Map.of(
            "activepieces", "anthropic/claude-sonnet-4.6",
            "openrouter", "anthropic/claude-sonnet-4.6",
            "openai", "gpt-5.5",
            "anthropic", "claude-sonnet-4-6",
            "google", "gemini-2.5-pro");

    private static final int CONTEXT = 128_000;
    private static final Map<String, Integer> CONTEXTS =
            Map.of("anthropic", 200_000, "bedrock", 200_000, "activepieces", 200_000, "google", 1_048_576);

    private OfferedModels() {}

    /** The model of the platform's credits that a name means: a tier, or one that is offered; empty for any other. */
    static Optional<String> onCredits(String name) {
        return Optional.ofNullable(TIERS.get(name)).or(() -> Optional.of(name).filter(ON_CREDITS::contains));
    }

    /** The model of a provider that is taken when none is named. */
    static Optional<String> usual(String provider) {
        return Optional.ofNullable(USUAL.get(provider));
    }

    static int contextTokens(String provider) {
        return CONTEXTS.getOrDefault(provider, CONTEXT);
    }
}
