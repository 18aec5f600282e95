package io.millrace.base.config;

import io.millrace.base.core.memory.HeapRoom;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the groups of {@link Config} from checked texts; groups with special rules have separate classes. */
final class ConfigReader {
    private static final long KILOBYTE = 1024;
    private static final long MEGABYTE = 1024 * KILOBYTE;

    /** Smallest limit of an API request's body, and its margin above that of a file or a log (contract admin-api 1.3). */
    private static final int BODY_MEGABYTES_MIN = 25;

    private static final int BODY_HEADROOM_MEGABYTES = 4;

    /** Headroom under the log limit (contract flows-and-engine 15.1). */
    private static final long LOG_HEADROOM_BYTES = 256 * KILOBYTE;

    private ConfigReader() {}

    static Config read(SettingTexts texts) {
        return new Config(
                http(texts),
                data(texts),
                postgres(texts),
                ClusterSettings.read(texts),
                ClusterSettings.role(texts),
                signIn(texts),
                SmtpSettings.read(texts),
                engine(texts),
                new Config.Shutdown(
                        Duration.ofSeconds(texts.integer(Setting.AP_SHUTDOWN_SECONDS)),
                        Duration.ofSeconds(texts.integer(Setting.AP_SHUTDOWN_DRAIN_SECONDS))),
                triggers(texts),
                teamsBot(texts),
                webhooks(texts),
                new Config.Outbound(
                        texts.text(Setting.AP_SSRF_ALLOW_LIST),
                        texts.integer(Setting.AP_OUTBOUND_CONNECTIONS_PER_HOST_MAX),
                        texts.integer(Setting.AP_OUTBOUND_WAITING_PER_HOST_MAX),
                        Duration.ofSeconds(texts.integer(Setting.AP_EVENT_DESTINATION_TIMEOUT_SECONDS))),
                packages(texts),
                new Config.Tables(
                        texts.integer(Setting.AP_MAX_RECORDS_PER_TABLE),
                        texts.integer(Setting.AP_MAX_FIELDS_PER_TABLE)),
                new Config.RowBounds(
                        texts.integer(Setting.AP_PROJECT_ROWS_MAX),
                        texts.integer(Setting.AP_ALERT_RECEIVERS_MAX),
                        texts.integer(Setting.AP_EVENT_DESTINATIONS_MAX),
                        texts.integer(Setting.AP_INVITATIONS_MAX),
                        texts.integer(Setting.AP_TABLE_WEBHOOKS_MAX),
                        texts.integer(Setting.AP_STORE_ENTRIES_MAX),
                        texts.integer(Setting.AP_MCP_SERVERS_MAX),
                        texts.integer(Setting.AP_FLOW_TESTS_MAX),
                        texts.integer(Setting.AP_FLOW_TEST_MAX_KB)),
                new Config.Imports(
                        texts.integer(Setting.AP_IMPORT_WORKFLOWS_MAX), texts.integer(Setting.AP_IMPORT_NODES_MAX)),
                git(texts),
                ObjectStorageSettings.read(texts),
                new Config.Logging(
                        texts.text(Setting.AP_LOG_LEVEL),
                        texts.text(Setting.AP_LOG_FORMAT),
                        texts.integer(Setting.AP_LOG_SAMPLE_RATE_INFO),
                        texts.integer(Setting.AP_LOG_KEEP_SLOW_MS),
                        texts.integer(Setting.AP_LOG_SAMPLE_RATE_RUNS)),
                monitoring(texts),
                OpenTelemetrySettings.read(texts),
                texts.text(Setting.AP_ENVIRONMENT),
                texts.flag(Setting.AP_TELEMETRY_ENABLED),
                new Config.Agents(
                        texts.flag(Setting.AP_AGENTS_ENABLED),
                        texts.integer(Setting.AP_AGENT_CONCURRENCY),
                        texts.integer(Setting.AP_AGENT_CONVERSATION_MESSAGES_MAX),
                        texts.optional(Setting.AP_AI_CREDITS_API_KEY),
                        texts.text(Setting.AP_AI_CREDITS_URL),
                        texts.integer(Setting.AP_MAX_KNOWLEDGE_BASE_FILES),
                        texts.integer(Setting.AP_MAX_KNOWLEDGE_BASE_CHUNKS),
                        Duration.ofDays(texts.integer(Setting.AP_AI_USAGE_RETENTION_DAYS)),
                        texts.optional(Setting.AP_AI_PRICES_FILE).map(Path::of),
                        texts.integer(Setting.AP_MCP_TOOLS_LISTED_MAX)),
                new Config.ActionRuns(
                        texts.integer(Setting.AP_ACTION_RUN_CONCURRENCY),
                        texts.integer(Setting.AP_ACTION_RUNS_WAITING_MAX)),
                new Config.OpenApiLimits(
                        Math.toIntExact(texts.integer(Setting.AP_OPENAPI_DOCUMENT_MAX_KB) * KILOBYTE),
                        texts.integer(Setting.AP_OPENAPI_OPERATIONS_MAX),
                        texts.integer(Setting.AP_OPENAPI_PROPERTIES_MAX)),
                new Config.Failures(
                        texts.integer(Setting.AP_ISSUES_PER_FLOW_MAX),
                        Duration.ofDays(texts.integer(Setting.AP_ISSUE_ARCHIVE_DAYS)),
                        texts.integer(Setting.AP_DIAGNOSIS_LOG_MAX_MB) << 20,
                        texts.integer(Setting.AP_EVENT_LISTENERS_MAX),
                        Duration.ofMinutes(texts.integer(Setting.AP_EVENT_RETENTION_MINUTES)),
                        limits(texts)),
                List.copyOf(texts.unknown()));
    }

    private static Config.Monitoring monitoring(SettingTexts texts) {
        var port = texts.integer(Setting.AP_METRICS_PORT);
        if (port != 0 && port == texts.integer(Setting.AP_PORT)) {
            throw new BadSetting("AP_METRICS_PORT: expected a port other than AP_PORT, found " + port
                    + "; without AP_METRICS_PORT and with AP_METRICS_TOKEN, /metrics is on AP_PORT");
        }
        return new Config.Monitoring(
                texts.flag(Setting.AP_METRICS_ENABLED),
                port,
                texts.integer(Setting.AP_METRICS_CONNECTIONS_MAX),
                texts.optional(Setting.AP_METRICS_TOKEN),
                texts.integer(Setting.AP_HEALTH_DISK_FREE_MIN_MB) * MEGABYTE);
    }

    private static Config.Http http(SettingTexts texts) {
        var megabytes = Math.max(
                texts.integer(Setting.AP_MAX_FILE_SIZE_MB), texts.integer(Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB));
        return new Config.Http(
                texts.text(Setting.AP_HOST),
                texts.integer(Setting.AP_PORT),
                texts.optional(Setting.AP_FRONTEND_URL).map(url -> url.replaceAll("/+$", "")),
                webhookUrl(texts),
                Math.max(BODY_MEGABYTES_MIN, megabytes + BODY_HEADROOM_MEGABYTES) * MEGABYTE,
                HttpLimitSettings.read(texts),
                new Config.Proxies(
                        texts.text(Setting.AP_CLIENT_REAL_IP_HEADER), texts.blocks(Setting.AP_TRUSTED_PROXIES)),
                texts.words(Setting.AP_MCP_ALLOWED_ORIGINS),
                texts.words(Setting.AP_ALLOWED_EMBED_ORIGINS));
    }

    private static Optional<String> webhookUrl(SettingTexts texts) {
        var url = texts.optional(Setting.AP_WEBHOOK_URL).map(text -> text.replaceAll("/+$", ""));
        var pages = texts.optional(Setting.AP_FRONTEND_URL)
                .orElseGet(() -> "http://localhost:" + texts.integer(Setting.AP_PORT));
        if (url.isPresent() && isSameHost(URI.create(url.get()), URI.create(pages))) {
            throw new BadSetting(
                    "AP_WEBHOOK_URL: expected a host other than that of AP_FRONTEND_URL, found " + url.get());
        }
        return url;
    }

    private static boolean isSameHost(URI one, URI other) {
        return one.getHost().equalsIgnoreCase(other.getHost()) && one.getPort() == other.getPort();
    }

    private static Config.Data data(SettingTexts texts) {
        return new Config.Data(
                Path.of(texts.text(Setting.AP_DATA_DIR)).toAbsolutePath().normalize(),
                texts.optional(Setting.AP_ENCRYPTION_KEY),
                texts.words(Setting.AP_KNOWN_ENCRYPTION_KEYS),
                texts.optional(Setting.AP_JWT_SECRET),
                texts.optional(Setting.AP_JWT_SECRET_PREVIOUS),
                texts.integer(Setting.AP_EXECUTION_DATA_RETENTION_DAYS),
                BackupSettings.read(texts),
                BackupSettings.beforeMigration(texts),
                accounts(texts));
    }

    private static Config.Accounts accounts(SettingTexts texts) {
        var accounts = new Config.Accounts(
                texts.integer(Setting.AP_CODE_UID),
                texts.integer(Setting.AP_PIECE_UID),
                texts.integer(Setting.AP_EMBEDDED_POSTGRES_UID),
                texts.integer(Setting.AP_PROCESS_UIDS),
                texts.integer(Setting.AP_PROCESS_UID_FIRST));
        if (accounts.isOfProcess(accounts.code())
                || accounts.isOfProcess(accounts.piece())
                || accounts.isOfProcess(accounts.database())) {
            throw new BadSetting("AP_PROCESS_UID_FIRST: expected " + accounts.processes()
                    + " numbers (AP_PROCESS_UIDS) without AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID, found"
                    + " those from " + accounts.firstProcess() + " on");
        }
        if (accounts.code() == accounts.piece()
                || accounts.code() == accounts.database()
                || accounts.piece() == accounts.database()) {
            throw new BadSetting(
                    "AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID: expected three different numbers");
        }
        return accounts;
    }

    private static Config.Postgres postgres(SettingTexts texts) {
        return new Config.Postgres(
                texts.optional(Setting.AP_POSTGRES_URL),
                texts.optional(Setting.AP_POSTGRES_HOST),
                texts.integer(Setting.AP_POSTGRES_PORT),
                texts.text(Setting.AP_POSTGRES_DATABASE),
                texts.text(Setting.AP_POSTGRES_USERNAME),
                texts.text(Setting.AP_POSTGRES_PASSWORD),
                texts.flag(Setting.AP_POSTGRES_USE_SSL),
                texts.optional(Setting.AP_POSTGRES_SSL_CA),
                texts.integer(Setting.AP_POSTGRES_POOL_SIZE),
                texts.integer(Setting.AP_POSTGRES_IDLE_TIMEOUT_MS),
                Duration.ofSeconds(texts.integer(Setting.AP_POSTGRES_PATIENCE_SECONDS)),
                Duration.ofSeconds(texts.integer(Setting.AP_POSTGRES_STATEMENT_SECONDS)),
                Duration.ofSeconds(texts.integer(Setting.AP_POSTGRES_START_PATIENCE_SECONDS)));
    }

    private static Config.SignIn signIn(SettingTexts texts) {
        return new Config.SignIn(
                texts.flag(Setting.AP_API_RATE_LIMIT_AUTHN_ENABLED),
                texts.integer(Setting.AP_API_RATE_LIMIT_AUTHN_MAX),
                texts.integer(Setting.AP_API_RATE_LIMIT_EMAIL_CODE_MAX),
                texts.duration(Setting.AP_API_RATE_LIMIT_AUTHN_WINDOW),
                texts.flag(Setting.AP_ALLOW_OPEN_SIGN_UP),
                google(texts),
                texts.text(Setting.AP_SCIM_DEFAULT_PROJECT_ROLE),
                Duration.ofSeconds(texts.integer(Setting.AP_MCP_REFRESH_GRACE_SECONDS)));
    }

    /** Each is invalid without the other. */
    private static Optional<Config.Google> google(SettingTexts texts) {
        return texts.optional(Setting.AP_GOOGLE_CLIENT_ID)
                .flatMap(id -> texts.optional(Setting.AP_GOOGLE_CLIENT_SECRET)
                        .map(secret -> new Config.Google(texts.text(Setting.AP_GOOGLE_ISSUER_URL), id, secret)));
    }

    private static Config.Engine engine(SettingTexts texts) {
        var logMegabytesMax = texts.integer(Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB);
        return new Config.Engine(
                Duration.ofSeconds(texts.integer(Setting.AP_FLOW_TIMEOUT_SECONDS)),
                Duration.ofSeconds(texts.integer(Setting.AP_TRIGGER_TIMEOUT_SECONDS)),
                logMegabytesMax,
                logMegabytesMax * MEGABYTE - LOG_HEADROOM_BYTES,
                texts.integer(Setting.AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB) * KILOBYTE,
                texts.integer(Setting.AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB) * KILOBYTE,
                memoryBytesMax(texts.integer(Setting.AP_RUN_MEMORY_MAX_MB)),
                texts.integer(Setting.AP_RUN_CRASH_RECOVERIES_MAX),
                texts.integer(Setting.AP_SANDBOX_MEMORY_LIMIT) * KILOBYTE,
                texts.integer(Setting.AP_WORKER_CONCURRENCY),
                texts.flag(Setting.AP_PROJECT_RATE_LIMITER_ENABLED),
                texts.integer(Setting.AP_DEFAULT_CONCURRENT_JOBS_LIMIT),
                texts.integer(Setting.AP_TEAM_PROJECTS_MAX),
                texts.integer(Setting.AP_MAX_FILE_SIZE_MB) * MEGABYTE,
                texts.integer(Setting.AP_MAX_STORE_ENTRY_VALUE_SIZE_KB) * KILOBYTE,
                PauseSettings.read(texts),
                texts.flag(Setting.AP_ENABLE_FLOW_ON_PUBLISH),
                texts.flag(Setting.AP_ENFORCE_CONNECTION_PIECE_BINDING),
                texts.flag(Setting.AP_PREWARM_CACHE_ON_STARTUP),
                eventLoops(texts.integer(Setting.AP_EVENT_LOOPS)),
                texts.integer(Setting.AP_REDECISION_RUNS_MAX),
                texts.integer(Setting.AP_REDECISIONS_MAX),
                texts.flag(Setting.AP_PURE_PROGRAMS_ENABLED),
                new Config.ApprovalLimits(
                        texts.integer(Setting.AP_APPROVAL_APPROVERS_MAX),
                        texts.integer(Setting.AP_APPROVAL_REMINDERS_MAX),
                        texts.integer(Setting.AP_APPROVAL_DATA_MAX_KB) * KILOBYTE));
    }

    /** The other processor of each two is the database's and the callers'. */
    private static int eventLoops(int wanted) {
        return wanted == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors() / 2) : wanted;
    }

    private static long memoryBytesMax(int megabytes) {
        return megabytes == 0 ? HeapRoom.bytesMax() / 2 : megabytes * MEGABYTE;
    }

    private static Config.Triggers triggers(SettingTexts texts) {
        return new Config.Triggers(
                Duration.ofSeconds(texts.integer(Setting.AP_TRIGGER_HOOKS_TIMEOUT_SECONDS)),
                texts.integer(Setting.AP_TRIGGER_DEFAULT_POLL_INTERVAL),
                texts.text(Setting.AP_SCHEDULE_MISFIRE_POLICY),
                texts.integer(Setting.AP_SCHEDULE_MISFIRE_MAX),
                texts.text(Setting.AP_APP_WEBHOOK_SECRETS),
                Duration.ofSeconds(texts.integer(Setting.AP_APP_EVENT_SIGNATURE_AGE_SECONDS)));
    }

    private static Config.TeamsBot teamsBot(SettingTexts texts) {
        return new Config.TeamsBot(
                texts.text(Setting.AP_MICROSOFT_LOGIN_URL),
                texts.text(Setting.AP_MICROSOFT_GRAPH_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_SERVICE_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_METADATA_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_ISSUER),
                Duration.ofMinutes(texts.integer(Setting.AP_MICROSOFT_BOT_KEYS_MINUTES)));
    }

    private static Config.Webhooks webhooks(SettingTexts texts) {
        return new Config.Webhooks(
                Duration.ofSeconds(texts.integer(Setting.AP_WEBHOOK_TIMEOUT_SECONDS)),
                texts.integer(Setting.AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB) * MEGABYTE,
                texts.integer(Setting.AP_WEBHOOK_RAW_BODY_MAX_MB) * MEGABYTE,
                texts.integer(Setting.AP_WEBHOOK_BACKLOG_MAX),
                new Config.IdempotencyKeys(
                        Duration.ofHours(texts.integer(Setting.AP_IDEMPOTENCY_KEY_HOURS)),
                        texts.integer(Setting.AP_IDEMPOTENCY_KEYS_PER_CALLER_MAX),
                        texts.integer(Setting.AP_IDEMPOTENCY_ANSWERS_PER_CALLER_MAX_MB) * MEGABYTE));
    }

    private static Config.Packages packages(SettingTexts texts) {
        return new Config.Packages(
                texts.optional(Setting.AP_NODE_PATH).map(Path::of),
                texts.optional(Setting.AP_NPM_REGISTRY_URL),
                texts.integer(Setting.AP_PIECE_PROCESS_KEPT_MB) * MEGABYTE,
                new Config.CodePackages(
                        texts.text(Setting.AP_CODE_DEPENDENCIES),
                        names(texts, Setting.AP_CODE_DEPENDENCIES_ALLOW_LIST),
                        texts.integer(Setting.AP_CODE_PROGRAM_MAX_MB) * MEGABYTE,
                        texts.integer(Setting.AP_CODE_SCRATCH_MAX_MB) * MEGABYTE),
                new Config.CodeProcesses(
                        texts.integer(Setting.AP_PIECE_SCRATCH_MAX_MB) * MEGABYTE,
                        texts.integer(Setting.AP_CODE_OPEN_FILES_MAX),
                        texts.integer(Setting.AP_CODE_OUTPUT_FILES_MAX),
                        texts.integer(Setting.AP_CODE_THREADS_MAX),
                        texts.integer(Setting.AP_CODE_PROCESSES_BEYOND_MAX)),
                new Config.CodeBackoff(
                        Duration.ofSeconds(texts.integer(Setting.AP_CODE_BACKOFF_MAX_SECONDS)),
                        Duration.ofSeconds(texts.integer(Setting.AP_CODE_BACKOFF_RESET_SECONDS)),
                        texts.integer(Setting.AP_CODE_FAILURES_PER_SECOND),
                        texts.integer(Setting.AP_CODE_PROCESSORS_LEFT)),
                new Config.Python(
                        texts.flag(Setting.AP_CODE_PYTHON),
                        texts.optional(Setting.AP_PYTHON_PATH).map(Path::of)),
                names(texts, Setting.AP_NODE_NATIVE_PACKAGES),
                texts.flag(Setting.AP_NODE_REQUIRE_FENCE),
                syncs(texts),
                syncs(texts) ? feed(texts) : Optional.empty(),
                (int) (texts.integer(Setting.AP_PIECE_LOGO_MAX_KB) * KILOBYTE),
                texts.integer(Setting.AP_PIECE_LOGO_CACHE_MB) * MEGABYTE,
                new Config.PackageInstall(
                        texts.integer(Setting.AP_PACKAGE_INSTALL_MEMORY_MAX_MB) * MEGABYTE,
                        texts.integer(Setting.AP_PACKAGE_INSTALL_FILES_MAX_MB) * MEGABYTE));
    }

    private static Set<String> names(SettingTexts texts, Setting setting) {
        return Stream.of(texts.text(setting).split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean syncs(SettingTexts texts) {
        return texts.text(Setting.AP_PIECES_SYNC_MODE).equals("OFFICIAL_AUTO");
    }

    private static Optional<Config.Feed> feed(SettingTexts texts) {
        return texts.optional(Setting.AP_PIECES_SYNC_URL)
                .map(address -> new Config.Feed(
                        address, Duration.ofMinutes(texts.integer(Setting.AP_PIECES_SYNC_INTERVAL_MINUTES)), (int)
                                (texts.integer(Setting.AP_PIECES_SYNC_MAX_MB) * MEGABYTE)));
    }

    private static Config.Git git(SettingTexts texts) {
        return new Config.Git(
                texts.integer(Setting.AP_GIT_SSH_PORT),
                Duration.ofSeconds(texts.integer(Setting.AP_GIT_TIMEOUT_SECONDS)),
                texts.integer(Setting.AP_GIT_REPOSITORY_SIZE_MB) * MEGABYTE);
    }

    /** Limits that end runs; a diagnosis names them, and changes of their values. */
    private static Map<String, String> limits(SettingTexts texts) {
        return Stream.of(
                        Setting.AP_FLOW_TIMEOUT_SECONDS,
                        Setting.AP_SANDBOX_MEMORY_LIMIT,
                        Setting.AP_RUN_MEMORY_MAX_MB,
                        Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB,
                        Setting.AP_MAX_FILE_SIZE_MB,
                        Setting.AP_MAX_STORE_ENTRY_VALUE_SIZE_KB,
                        Setting.AP_PAUSED_FLOW_TIMEOUT_DAYS,
                        Setting.AP_SSRF_ALLOW_LIST)
                .collect(Collectors.toMap(Setting::name, texts::text));
    }
}
