package io.millrace.workspace.aiprovider;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whose models they are (contract admin-api 28.1). */
enum AiVendor {
    OPENAI("openai", "OpenAI"),
    OPENROUTER("openrouter", "OpenRouter"),
    ANTHROPIC("anthropic", "Anthropic"),
    AZURE("azure", "Azure OpenAI"),
    GOOGLE("google", "Google Gemini"),
    /** The server's own credits, which nobody can add. */
    ACTIVEPIECES("activepieces", "Activepieces"),
    CLOUDFLARE_GATEWAY("cloudflare-gateway", "Cloudflare AI Gateway"),
    CUSTOM("custom", "the custom provider"),
    BEDROCK("bedrock", "Amazon Bedrock"),
    MISTRAL("mistral", "Mistral");

    private final String word;
    private final String title;

    AiVendor(String word, String title) {
        this.word = word;
        this.title = title;
    }

    /** What clients call it. */
    String word() {
        return word;
    }

    /** What people call it. */
    String title() {
        return title;
    }

    static Optional<AiVendor> of(String word) {
        return Arrays.stream(values())
                .filter(vendor -> vendor.word.equals(word))
                .findFirst();
    }

    /** All words, as a refusal lists them (contract admin-api 1.5). */
    static String options() {
        return Arrays.stream(values()).map(vendor -> '"' + vendor.word + '"').collect(Collectors.joining("|"));
    }
}
