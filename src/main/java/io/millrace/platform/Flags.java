package io.millrace.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.config.Config;
import io.millrace.core.Json;
import java.util.List;
import java.util.Optional;

/**
 * What a client reads first (contract admin-api 31). A flag of a feature that this server does not have is false, or
 * left out where it is no truth value.
 */
final class Flags {
    /** Features and screens that do not exist here. */
    private static final List<String> ABSENT = List.of(
            "CLOUD_AUTH_ENABLED",
            "SMTP_CONFIGURED",
            "EMAIL_CODE_AUTH_ENABLED",
            "SHOW_POWERED_BY_IN_FORM",
            "SHOW_COMMUNITY",
            "SHOW_BADGES",
            "SHOW_ALERTS",
            "SHOW_PROJECT_MEMBERS",
            "SHOW_BILLING_PAGE",
            "SHOW_BILLING_LIMITS_ON_SIDEBAR",
            "CAN_BUY_AI_CREDITS",
            "CAN_BUY_ACTIVE_FLOWS",
            "PRIVATE_PIECES_ENABLED",
            "ALLOW_NPM_PACKAGES_IN_CODE_STEP",
            "AGENTS_CONFIGURED",
            "PGVECTOR_AVAILABLE");

    private static final String PRODUCT = "Millrace";
    private static final long KILOBYTE = 1024;
    private static final long MEGABYTE = 1024 * KILOBYTE;

    private final Config config;
    private final String version;

    Flags(Config config, String version) {
        this.config = config;
        this.version = version;
    }

    /** All flags, with the values of the platform that this installation serves. */
    ObjectNode of(Optional<Platform> platform) {
        var url = config.http()
                .frontendUrl()
                .orElseGet(() -> "http://localhost:" + config.http().port());
        var flags = Json.object()
                .put("EDITION", "ce")
                .put("ENVIRONMENT", config.environment())
                .put("CURRENT_VERSION", version)
                .put("LATEST_VERSION", "0.0.0")
                .put("PUBLIC_URL", url)
                .put("WEBHOOK_URL_PREFIX", url + "/api/v1/webhooks")
                .put("USER_CREATED", platform.isPresent())
                .put(
                        "EMAIL_AUTH_ENABLED",
                        platform.map(known -> known.signIn().emailAuthEnabled()).orElse(true))
                .put("TELEMETRY_ENABLED", config.telemetryEnabled());
        flags.putObject("THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP")
                .put("google", false)
                .put("saml", false);
        flags.putArray("SUPPORTED_APP_WEBHOOKS");
        var origins = flags.putArray("ALLOWED_EMBED_ORIGINS");
        platform.ifPresent(known -> known.allowedEmbedOrigins().forEach(origins::add));
        ABSENT.forEach(flag -> flags.put(flag, false));
        limits(flags);
        flags.set("THEME", theme(platform));
        return flags;
    }

    private void limits(ObjectNode flags) {
        var engine = config.engine();
        flags.put("FLOW_RUN_TIME_SECONDS", engine.flowTimeout().toSeconds())
                .put("TRIGGER_TIMEOUT_SECONDS", engine.triggerTimeout().toSeconds())
                .put("FLOW_RUN_MEMORY_LIMIT_KB", engine.codeMemoryBytes() / KILOBYTE)
                .put("FLOW_RUN_LOG_SIZE_LIMIT_MB", engine.logMegabytesMax())
                .put("PAUSED_FLOW_TIMEOUT_DAYS", engine.pauseMax().toDays())
                .put("WEBHOOK_TIMEOUT_SECONDS", config.webhooks().timeout().toSeconds())
                .put("EXECUTION_DATA_RETENTION_DAYS", config.data().retentionDays())
                .put("MAX_FILE_SIZE_MB", engine.fileBytesMax() / MEGABYTE)
                .put("ENABLE_FLOW_ON_PUBLISH", engine.enableOnPublish())
                .put("DEFAULT_CONCURRENT_JOBS_LIMIT", engine.concurrentJobsLimit())
                .put("PROJECT_RATE_LIMITER_ENABLED", engine.projectsLimited());
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
