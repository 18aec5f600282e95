package io.millrace.workspace.aiprovider;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Vendor of models (contract admin-api 28.1). */
public enum AiVendor {
    OPENAI("openai", "OpenAI"),
    OPENROUTER("openrouter", "OpenRouter"),
    ANTHROPIC("anthropic", "Anthropic"),
    AZURE("azure", "Azure OpenAI"),
    GOOGLE("google", "Google Gemini"),
    /** The server's own credits. Requests cannot add this vendor. */
    ACTIVEPIECES("activepieces", "Activepieces"),
    CLOUDFLARE_GATEWAY("cloudflare-gateway", "Cloudflare AI Gateway"),
    CUSTOM("custom", "the custom provider"),
    BEDROCK("bedrock", "Amazon Bedrock"),
    MISTRAL("mistral", "Mistral"),
    VERTEX("vertex", "Google Vertex AI"),
    XAI("xai", "xAI", "api.x.ai/v1"),
    DEEPSEEK("deepseek", "DeepSeek", "api.deepseek.com/v1"),
    ZAI("zai", "Z.ai", "api.z.ai/api/paas/v4"),
    QWEN("qwen", "Qwen", "dashscope-intl.aliyuncs.com/compatible-mode/v1"),
    MINIMAX("minimax", "MiniMax", "api.minimax.io/v1"),
    MOONSHOT("moonshot", "Moonshot AI", "api.moonshot.ai/v1");

    private final String word;
    private final String title;
    private final String base;

    AiVendor(String word, String title) {
        this(word, title, "");
    }

    AiVendor(String word, String title, String base) {
        this.word = word;
        this.title = title;
        this.base = base;
    }

    /** Name in the API. */
    String word() {
        return word;
    }

    String title() {
        return title;
    }

    /** Host and base path of a vendor's OpenAI-compatible API; empty text for the others. */
    String base() {
        return base;
    }

    public static Optional<AiVendor> of(String word) {
        return Arrays.stream(values())
                .filter(vendor -> vendor.word.equals(word))
                .findFirst();
    }

    /** All names, as a refusal lists them (contract admin-api 1.5). */
    public static String options() {
        return Arrays.stream(values()).map(vendor -> '"' + vendor.word + '"').collect(Collectors.joining("|"));
    }
}
