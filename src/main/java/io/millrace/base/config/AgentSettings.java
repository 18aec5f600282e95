package io.millrace.base.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Agents, AI credits and knowledge bases.
 *
 * @param saved true if users can save agents that flows run
 * @param atOnce concurrent runs of a node
 * @param usageKept retention of the usage of models
 * @param pricesFile prices of models; empty for the prices of this release
 * @param mcpToolsListedMax tools that an MCP server lists; a longer list is replaced by a search tool
 */
public record AgentSettings(
        boolean saved,
        int atOnce,
        int conversationMessagesMax,
        CreditAccount credits,
        KnowledgeBaseLimits knowledge,
        Duration usageKept,
        Optional<Path> pricesFile,
        int mcpToolsListedMax) {
    /**
     * AI credits of the platform.
     *
     * @param key key of the platform's AI credits
     * @param url URL of the service that spends them
     */
    public record CreditAccount(Optional<String> key, String url) {
        @Override
        public String toString() {
            return "CreditAccount[" + url + "]";
        }
    }

    /**
     * Knowledge base of a project.
     *
     * @param filesMax documents in the knowledge base of a project
     * @param chunksMax chunks of all these documents
     */
    public record KnowledgeBaseLimits(int filesMax, int chunksMax) {}

    @Override
    public String toString() {
        return "AgentSettings[" + atOnce + " at once]";
    }

    static AgentSettings read(SettingTexts texts) {
        return new AgentSettings(
                texts.flag(Setting.AP_AGENTS_ENABLED),
                texts.integer(Setting.AP_AGENT_CONCURRENCY),
                texts.integer(Setting.AP_AGENT_CONVERSATION_MESSAGES_MAX),
                new CreditAccount(texts.optional(Setting.AP_AI_CREDITS_API_KEY), texts.text(Setting.AP_AI_CREDITS_URL)),
                new KnowledgeBaseLimits(
                        texts.integer(Setting.AP_MAX_KNOWLEDGE_BASE_FILES),
                        texts.integer(Setting.AP_MAX_KNOWLEDGE_BASE_CHUNKS)),
                texts.days(Setting.AP_AI_USAGE_RETENTION_DAYS),
                texts.optional(Setting.AP_AI_PRICES_FILE).map(Path::of),
                texts.integer(Setting.AP_MCP_TOOLS_LISTED_MAX));
    }
}
