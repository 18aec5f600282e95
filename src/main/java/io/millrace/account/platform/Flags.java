package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Optional;

/**
 * Flags that a client reads at its start (contract admin-api 31). Every flag is present: that of an unsupported feature is
 * false, or null for other types, or an empty text for an address.
 */
final class Flags {
    private static final List<String> PRESENT = List.of(
            "SHOW_PROJECT_MEMBERS", "SHOW_BADGES", "PRIVATE_PIECES_ENABLED", "PGVECTOR_AVAILABLE", "AGENTS_CONFIGURED");

    private static final List<String> ABSENT = List.of(
            "SHOW_POWERED_BY_IN_FORM",
            "SHOW_COMMUNITY",
            "SHOW_BILLING_PAGE",
            "SHOW_BILLING_LIMITS_ON_SIDEBAR",
            "CAN_BUY_AI_CREDITS",
            "CAN_BUY_ACTIVE_FLOWS");

    private static final List<String> ADDRESSES = List.of("PRIVACY_POLICY_URL", "TERMS_OF_SERVICE_URL");

    /** Templates are rows of a separate table, not flows of a project; no data is sent to another server. */
    private static final List<String> UNKNOWN = List.of("TEMPLATES_PROJECT_ID", "FRONTEND_SENTRY_DSN");

    private static final String PRODUCT = "Millrace";
    private static final long KILOBYTE = 1024;
    private static final long MEGABYTE = 1024 * KILOBYTE;

    private final Config config;
    private final String version;
    private final Embedders embedders;
    private final List<String> appWebhooks;
    private final List<String> templateCategories;

    /**
     * @param appWebhooks names of the apps whose events can be trusted
     */
    Flags(Config config, String version, List<String> appWebhooks, List<String> templateCategories) {
        this.config = config;
        this.version = version;
        this.embedders = new Embedders(config.network().http().origins().embed());
        this.appWebhooks = List.copyOf(appWebhooks);
        this.templateCategories = List.copyOf(templateCategories);
    }

    ObjectNode of(Optional<Platform> platform) {
        var url = config.network().http().publicUrl();
        var byEmail = platform.map(known -> known.signIn().emailAuthEnabled()).orElse(true);
        var flags = Json.object()
                .put("EDITION", "ce")
                .put("ENVIRONMENT", config.process().environment())
                .put("CURRENT_VERSION", version)
                .put("LATEST_VERSION", "0.0.0")
                .put("PUBLIC_URL", url)
                .put("WEBHOOK_URL_PREFIX", config.network().http().callerUrl() + "/api/v1/webhooks")
                .put("USER_CREATED", platform.isPresent())
                .put("EMAIL_AUTH_ENABLED", byEmail)
                .put(
                        "CLOUD_AUTH_ENABLED",
                        platform.map(known -> known.signIn().cloudAuthEnabled()).orElse(true))
                .put("SMTP_CONFIGURED", config.people().smtp().isPresent())
                .put("SHOW_ALERTS", config.people().smtp().isPresent())
                .put(
                        "EMAIL_CODE_AUTH_ENABLED",
                        byEmail && config.people().smtp().isPresent())
                .put("AGENT_CONVERSATION_MESSAGES_MAX", config.runs().agents().conversationMessagesMax())
                .put("TELEMETRY_ENABLED", config.process().telemetryEnabled())
                .put(
                        "ALLOW_NPM_PACKAGES_IN_CODE_STEP",
                        !config.packages().code().dependencies().mode().equals("off"))
                .put("PIECES_SYNC_MODE", config.packages().catalogue().installsOnDemand() ? "OFFICIAL_AUTO" : "NONE");
        providers(flags.putObject("THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP"), platform);
        flags.put("THIRD_PARTY_AUTH_PROVIDER_REDIRECT_URL", url + "/redirect")
                .put("SAML_AUTH_ACS_URL", url + "/api/v1/authn/saml/acs");
        appWebhooks.forEach(flags.putArray("SUPPORTED_APP_WEBHOOKS")::add);
        embedders.of(platform).forEach(flags.putArray("ALLOWED_EMBED_ORIGINS")::add);
        templateCategories.forEach(flags.putArray("TEMPLATES_CATEGORIES")::add);
        PRESENT.forEach(flag -> flags.put(flag, true));
        ABSENT.forEach(flag -> flags.put(flag, false));
        ADDRESSES.forEach(flag -> flags.put(flag, ""));
        UNKNOWN.forEach(flags::putNull);
        limits(flags);
        flags.set("THEME", theme(platform));
        return flags;
    }

    /**
     * Identity providers for the sign-in page. The platform's own provider requires a verified domain; a kind that is unknown
     * to clients of the contract is named only if present.
     */
    private void providers(ObjectNode shown, Optional<Platform> platform) {
        var google = config.people().signIn().google().isPresent();
        shown.put(
                        "google",
                        google
                                && platform.map(known -> known.signIn().googleAuthEnabled())
                                        .orElse(true))
                .put(
                        "saml",
                        platform.map(known -> known.signIn().hasSaml() && known.hasVerifiedDomain())
                                .orElse(false));
        if (platform.filter(known -> known.signIn().hasOidc() && known.hasVerifiedDomain())
                .isPresent()) {
            shown.put("oidc", true);
        }
    }

    private void limits(ObjectNode flags) {
        var engine = config.runs().engine();
        flags.put("FLOW_RUN_TIME_SECONDS", engine.timeouts().flow().toSeconds())
                .put("TRIGGER_TIMEOUT_SECONDS", engine.timeouts().trigger().toSeconds())
                .put("FLOW_RUN_MEMORY_LIMIT_KB", engine.code().memoryBytes() / KILOBYTE)
                .put("FLOW_RUN_LOG_SIZE_LIMIT_MB", engine.log().megabytesMax())
                .put("PAUSED_FLOW_TIMEOUT_DAYS", engine.timeouts().pauseMax().toDays())
                .put(
                        "WEBHOOK_TIMEOUT_SECONDS",
                        config.runs().webhooks().timeout().toSeconds())
                .put("EXECUTION_DATA_RETENTION_DAYS", config.storage().data().retentionDays())
                .put("MAX_RECORDS_PER_TABLE", config.content().tables().recordsMax())
                .put("MAX_FIELDS_PER_TABLE", config.content().tables().fieldsMax())
                .put("MAX_FILE_SIZE_MB", engine.sizes().fileBytesMax() / MEGABYTE)
                .put("MAX_MCPS_PER_PROJECT", 1 + config.content().bounds().mcpServersMax())
                .put("ENABLE_FLOW_ON_PUBLISH", engine.publishing().enableOnPublish())
                .put("DEFAULT_CONCURRENT_JOBS_LIMIT", engine.shares().concurrentJobsLimit())
                .put("PROJECT_RATE_LIMITER_ENABLED", engine.shares().projectsLimited());
    }

    private static ObjectNode theme(Optional<Platform> platform) {
        var theme =
                Json.object().put("websiteName", platform.map(Platform::name).orElse(PRODUCT));
        platform.map(Platform::looks).ifPresent(looks -> {
            theme.putObject("colors").putObject("primary").put("default", looks.primaryColor());
            theme.putObject("logos")
                    .put("fullLogoUrl", looks.fullLogoUrl())
                    .put("favIconUrl", looks.favIconUrl())
                    .put("logoIconUrl", looks.logoIconUrl());
        });
        return theme;
    }
}
