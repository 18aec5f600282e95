package io.millrace.base.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Settings that the contract names (admin-api 37, flows-and-engine 33) and that have no effect here, grouped by the reason. The
 * presence of one has an effect: {@link #EXECUTION}.
 * They are accepted, and the start logs why they have no effect; {@code settings.md} lists the same.
 */
public enum ForeignSetting {
    QUEUE(
            "the queue is in PostgreSQL, and there is no Redis",
            "AP_REDIS_*",
            "AP_QUEUE_*",
            "AP_RUNS_METADATA_UPDATE_CONCURRENCY"),
    DATABASE("the database is PostgreSQL: embedded, or that of AP_POSTGRES_URL or AP_POSTGRES_HOST", "AP_DB_TYPE"),
    FOLDER("the data directory of the server is AP_DATA_DIR", "AP_CONFIG_PATH"),
    ADDRESS("all URLs are derived from AP_FRONTEND_URL", "AP_INTERNAL_URL"),
    PARTS(
            "every node runs API and worker in one process",
            "AP_CONTAINER_TYPE",
            "AP_WORKERS",
            "AP_WORKER_GROUP_ID",
            "AP_PROJECT_WORKER"),
    EDITION(
            "there is one edition with all features",
            "AP_EDITION",
            "AP_IS_CANARY_APP",
            "AP_CANARY_APP_URL",
            "AP_API_KEY"),
    EXECUTION(
            "all user code runs in separate processes, and AP_CODE_IN_SERVER_ENABLED is off; the value makes no difference",
            "AP_EXECUTION_MODE"),
    SANDBOX(
            "user code has no files and no environment of the server; network only in Node.js, behind the address guard",
            "AP_SANDBOX_PROPAGATED_ENV_VARS"),
    NETWORK("outbound calls are always filtered; AP_SSRF_ALLOW_LIST lists exceptions", "AP_NETWORK_MODE"),
    PIECES(
            "pieces are built in or come from a registry, never from sources",
            "AP_DEV_PIECES",
            "AP_LOAD_TRANSLATIONS_FOR_DEV_PIECES",
            "AP_PIECES_CACHE_MAX_ENTRIES"),
    PAYLOADS("a payload of any size is committed with its run", "AP_WEBHOOK_PAYLOAD_INLINE_THRESHOLD_KB"),
    FAILURES("failing triggers stay enabled", "AP_TRIGGER_FAILURES_THRESHOLD"),
    LOG(
            "the log goes to standard output, and to an OpenTelemetry collector with" + " AP_OTEL_ENABLED",
            "AP_LOG_PRETTY",
            "AP_LOG_FILE",
            "AP_LOKI_*",
            "AP_HYPERDX_TOKEN",
            "AP_BETTERSTACK_*",
            "AP_AXIOM_*",
            "AP_SENTRY_DSN",
            "AP_FRONTEND_SENTRY_DSN",
            "AP_PAGE_ONCALL_WEBHOOK"),
    COLLECTOR(
            "the server speaks OTLP over HTTP with JSON, and metrics are read from /metrics",
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL",
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
            "OTEL_EXPORTER_OTLP_METRICS_*",
            "OTEL_METRICS_*"),
    VENDOR(
            "services of the vendor are not used",
            "AP_CLOUD_AUTH_ENABLED",
            "AP_MODEL_CATALOG_URL",
            "AP_OPENAI_API_KEY",
            "AP_OPENROUTER_PROVISION_KEY",
            "AP_AI_CREDIT_USD_VALUE",
            "AP_TURNSTILE_*",
            "AP_ZEROBOUNCE_API_KEY"),
    BARRIERS("no step waits for signals of other runs", "AP_MAX_BARRIER_SIGNALS"),
    STREAMS("files of steps are never streamed, and AP_MAX_FILE_SIZE_MB limits them", "AP_MAX_STREAM_FILE_SIZE_MB"),
    TOOLS("replaced by AP_MCP_TOOLS_LISTED_MAX", "AP_TOOL_SEARCH_ENABLED"),
    JOBS("renamed to AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "AP_MAX_CONCURRENT_JOBS_PER_PROJECT"),
    WORKERS("renamed to AP_WORKER_CONCURRENCY", "AP_FLOW_WORKER_CONCURRENCY", "AP_SCHEDULED_WORKER_CONCURRENCY"),
    RUN_TIME("renamed to AP_FLOW_TIMEOUT_SECONDS", "AP_SANDBOX_RUN_TIME_SECONDS"),
    PREWARM("renamed to AP_PREWARM_CACHE_ON_STARTUP", "AP_PRE_WARM_CACHE"),
    SIGN_UP("people need an invitation, or sign up with AP_ALLOW_OPEN_SIGN_UP", "AP_SIGN_UP_ENABLED");

    private static final String ANY = "*";

    private final String reason;
    private final List<String> names;

    ForeignSetting(String reason, String... names) {
        this.reason = reason;
        this.names = List.of(names);
    }

    public String reason() {
        return reason;
    }

    /** A trailing star matches any ending. */
    public List<String> names() {
        return names;
    }

    public static String remark(String name) {
        return of(name).map(foreign -> name + (foreign == EXECUTION ? ": " : " has no effect here: ") + foreign.reason)
                .orElseGet(() -> name + " is not a setting of Millrace and is ignored");
    }

    private static Optional<ForeignSetting> of(String name) {
        return Stream.of(values())
                .filter(foreign -> foreign.names.stream().anyMatch(pattern -> matches(pattern, name)))
                .findFirst();
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith(ANY)
                ? name.startsWith(pattern.substring(0, pattern.length() - ANY.length()))
                : name.equals(pattern);
    }
}
