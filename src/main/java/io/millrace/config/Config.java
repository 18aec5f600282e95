package io.millrace.config;

import io.millrace.core.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings as checked values, in the groups that the rooms ask for.
 *
 * @param unknownNames names that look like settings and are none; the start warns of them
 */
public record Config(
        Http http,
        Data data,
        Postgres postgres,
        SignIn signIn,
        Optional<Smtp> smtp,
        Engine engine,
        Triggers triggers,
        Webhooks webhooks,
        Outbound outbound,
        Packages packages,
        Tables tables,
        Git git,
        ObjectStorage files,
        Logging logging,
        String environment,
        boolean telemetryEnabled,
        List<String> unknownNames) {

    private static final long KILOBYTE = 1024;
    private static final long MEGABYTE = 1024 * KILOBYTE;

    /** Headroom under the log limit (contract flows-and-engine 15.1). */
    private static final long LOG_HEADROOM_BYTES = 256 * KILOBYTE;

    /** The same settings with another port to listen on. */
    public Config withPort(int port) {
        return new Config(
                http.withPort(port),
                data,
                postgres,
                signIn,
                smtp,
                engine,
                triggers,
                webhooks,
                outbound,
                packages,
                tables,
                git,
                files,
                logging,
                environment,
                telemetryEnabled,
                unknownNames);
    }

    /**
     * The HTTP server.
     *
     * @param frontendUrl public base URL without a slash at its end; empty when not set
     * @param bodyBytesMax largest body of an API request (contract admin-api 1.3)
     * @param mcpOrigins pages that may call MCP servers; {@code *} for any
     * @param embedOrigins pages that may embed those of every platform
     */
    public record Http(
            String host,
            int port,
            Optional<String> frontendUrl,
            long bodyBytesMax,
            Proxies proxies,
            List<String> mcpOrigins,
            List<String> embedOrigins) {
        public Http {
            mcpOrigins = List.copyOf(mcpOrigins);
            embedOrigins = List.copyOf(embedOrigins);
        }

        Http withPort(int changed) {
            return new Http(host, changed, frontendUrl, bodyBytesMax, proxies, mcpOrigins, embedOrigins);
        }
    }

    /**
     * What stands between this server and its clients (contract admin-api 1.13).
     *
     * @param addressHeader header in which they say where a request came from; none when empty
     * @param trusted those that are believed
     */
    public record Proxies(String addressHeader, List<Cidr> trusted) {
        public Proxies {
            trusted = List.copyOf(trusted);
        }
    }

    /** What is kept on disk, and for how long. Secrets are empty when they are to be generated. */
    public record Data(
            Path directory,
            Optional<String> encryptionKey,
            List<String> knownEncryptionKeys,
            Optional<String> jwtSecret,
            int retentionDays) {
        public Data {
            knownEncryptionKeys = List.copyOf(knownEncryptionKeys);
        }

        @Override
        public String toString() {
            return "Data[" + directory + "]";
        }
    }

    /**
     * The database. Embedded when neither URL nor host is given.
     *
     * @param caCertificate PEM text, empty when the system's authorities are used
     * @param patience how long the start of a run waits for a database that is away
     */
    public record Postgres(
            Optional<String> url,
            Optional<String> host,
            int port,
            String database,
            String user,
            String password,
            boolean encrypted,
            Optional<String> caCertificate,
            int poolSize,
            int idleTimeoutMs,
            Duration patience) {
        public boolean isEmbedded() {
            return url.isEmpty() && host.isEmpty();
        }
    }

    /**
     * Signing up and in.
     *
     * @param scimRole role in a project of those whom a directory puts there
     */
    public record SignIn(
            boolean limited,
            int requestsMax,
            int codesMax,
            Duration window,
            boolean openSignUp,
            Optional<Google> google,
            String scimRole) {}

    /** This server as a client of Google, by which people sign in. */
    public record Google(String issuer, String clientId, String clientSecret) {
        @Override
        public String toString() {
            return "Google[" + clientId + "]";
        }
    }

    /**
     * The mail server (contract admin-api 37.7).
     *
     * @param senderName empty when mail is sent in the platform's name
     */
    public record Smtp(
            String host,
            int port,
            String username,
            String password,
            String senderEmail,
            Optional<String> senderName,
            boolean rejectsUnauthorized) {
        @Override
        public String toString() {
            return "Smtp[" + host + ":" + port + "]";
        }
    }

    /**
     * Execution of runs.
     *
     * @param prewarmed whether the server gets ready for its flows at the start, instead of at the first run of each
     */
    public record Engine(
            Duration flowTimeout,
            Duration triggerTimeout,
            long logBytesMax,
            long inputTruncateBytes,
            long sliceBytesMin,
            long memoryBytesMax,
            long codeMemoryBytes,
            int codeConcurrency,
            boolean projectsLimited,
            int concurrentJobsLimit,
            long fileBytesMax,
            long storeValueBytesMax,
            Duration pauseMax,
            boolean enableOnPublish,
            boolean prewarmed) {
        /** The log limit in MB, as flags and messages state it. */
        public long logMegabytesMax() {
            return (logBytesMax + LOG_HEADROOM_BYTES) / MEGABYTE;
        }
    }

    /**
     * Triggers.
     *
     * @param misfirePolicy {@code skip}, {@code once} or {@code all}
     * @param appSecrets JSON text, or empty text for none
     */
    public record Triggers(
            Duration hooksTimeout, int pollMinutes, String misfirePolicy, int misfiresMax, String appSecrets) {}

    /**
     * Webhook intake.
     *
     * @param keysKept how long a key under which runs were started is known
     */
    public record Webhooks(Duration timeout, long payloadBytesMax, int backlogMax, Duration keysKept) {}

    /** Calls to the outside. */
    public record Outbound(String allowList, Duration eventTimeout) {}

    /**
     * Pieces that are npm packages.
     *
     * @param node Node.js executable; empty to search the PATH
     * @param registry empty for the one that the package manager is set up for
     * @param keptBytesMax memory of a process without a call, beyond which it is replaced
     * @param installsOnDemand whether official pieces that flows pin are installed when they are missing
     */
    public record Packages(
            Optional<Path> node, Optional<String> registry, long keptBytesMax, boolean installsOnDemand) {}

    /** What one table may have. */
    public record Tables(int recordsMax, int fieldsMax) {}

    /** Git repositories of projects. */
    public record Git(int sshPort, Duration timeout, long repositoryBytesMax) {}

    /** Log lines. */
    public record Logging(String level, int sampleRatePercent, int keepSlowMs) {}

    /**
     * Where bytes of files are kept (contract admin-api 37.6).
     *
     * @param isWritten whether new files go to the bucket
     * @param bucket empty when there is none
     */
    public record ObjectStorage(boolean isWritten, Optional<Bucket> bucket) {}

    /** A bucket of an S3-compatible storage. */
    public record Bucket(String endpoint, String name, String region, BucketAccess access, boolean signedUrls) {}

    /** How a bucket is opened. */
    public sealed interface BucketAccess {
        /** By a key that stays good. */
        record Key(String accessKeyId, String secretAccessKey) implements BucketAccess {
            @Override
            public String toString() {
                return "Key[" + accessKeyId + "]";
            }
        }

        /**
         * By the role of the host (AP_S3_USE_IRSA).
         *
         * @param tokenFile says who the host is
         * @param tokenService address of what gives the role
         */
        record Role(String arn, Path tokenFile, String tokenService) implements BucketAccess {}
    }

    /**
     * Reads all settings.
     *
     * @param environment variables of the process
     * @param file properties file; may be absent
     * @throws BadSetting naming every value that is not acceptable
     */
    public static Config load(Map<String, String> environment, Path file) {
        var texts = new SettingTexts(environment, file);
        var fileMegabytes = texts.integer(Setting.AP_MAX_FILE_SIZE_MB);
        var logMegabytes = texts.integer(Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB);
        return new Config(
                new Http(
                        texts.text(Setting.AP_HOST),
                        texts.integer(Setting.AP_PORT),
                        optional(texts, Setting.AP_FRONTEND_URL).map(url -> url.replaceAll("/+$", "")),
                        Math.max(25, Math.max(fileMegabytes + 4, logMegabytes + 4)) * MEGABYTE,
                        new Proxies(
                                texts.text(Setting.AP_CLIENT_REAL_IP_HEADER), texts.blocks(Setting.AP_TRUSTED_PROXIES)),
                        words(texts.text(Setting.AP_MCP_ALLOWED_ORIGINS)),
                        words(texts.text(Setting.AP_ALLOWED_EMBED_ORIGINS))),
                new Data(
                        Path.of(texts.text(Setting.AP_DATA_DIR))
                                .toAbsolutePath()
                                .normalize(),
                        optional(texts, Setting.AP_ENCRYPTION_KEY),
                        words(texts.text(Setting.AP_KNOWN_ENCRYPTION_KEYS)),
                        optional(texts, Setting.AP_JWT_SECRET),
                        texts.integer(Setting.AP_EXECUTION_DATA_RETENTION_DAYS)),
                postgres(texts),
                new SignIn(
                        texts.flag(Setting.AP_API_RATE_LIMIT_AUTHN_ENABLED),
                        texts.integer(Setting.AP_API_RATE_LIMIT_AUTHN_MAX),
                        texts.integer(Setting.AP_API_RATE_LIMIT_EMAIL_CODE_MAX),
                        texts.duration(Setting.AP_API_RATE_LIMIT_AUTHN_WINDOW),
                        texts.flag(Setting.AP_ALLOW_OPEN_SIGN_UP),
                        google(texts),
                        texts.text(Setting.AP_SCIM_DEFAULT_PROJECT_ROLE)),
                SmtpSettings.read(texts),
                engine(texts, fileMegabytes, logMegabytes),
                new Triggers(
                        Duration.ofSeconds(texts.integer(Setting.AP_TRIGGER_HOOKS_TIMEOUT_SECONDS)),
                        texts.integer(Setting.AP_TRIGGER_DEFAULT_POLL_INTERVAL),
                        texts.text(Setting.AP_SCHEDULE_MISFIRE_POLICY),
                        texts.integer(Setting.AP_SCHEDULE_MISFIRE_MAX),
                        texts.text(Setting.AP_APP_WEBHOOK_SECRETS)),
                new Webhooks(
                        Duration.ofSeconds(texts.integer(Setting.AP_WEBHOOK_TIMEOUT_SECONDS)),
                        texts.integer(Setting.AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB) * MEGABYTE,
                        texts.integer(Setting.AP_WEBHOOK_BACKLOG_MAX),
                        Duration.ofHours(texts.integer(Setting.AP_IDEMPOTENCY_KEY_HOURS))),
                new Outbound(
                        texts.text(Setting.AP_SSRF_ALLOW_LIST),
                        Duration.ofSeconds(texts.integer(Setting.AP_EVENT_DESTINATION_TIMEOUT_SECONDS))),
                new Packages(
                        optional(texts, Setting.AP_NODE_PATH).map(Path::of),
                        optional(texts, Setting.AP_NPM_REGISTRY_URL),
                        texts.integer(Setting.AP_PIECE_PROCESS_KEPT_MB) * MEGABYTE,
                        texts.text(Setting.AP_PIECES_SYNC_MODE).equals("OFFICIAL_AUTO")),
                new Tables(
                        texts.integer(Setting.AP_MAX_RECORDS_PER_TABLE),
                        texts.integer(Setting.AP_MAX_FIELDS_PER_TABLE)),
                new Git(
                        texts.integer(Setting.AP_GIT_SSH_PORT),
                        Duration.ofSeconds(texts.integer(Setting.AP_GIT_TIMEOUT_SECONDS)),
                        texts.integer(Setting.AP_GIT_REPOSITORY_SIZE_MB) * MEGABYTE),
                ObjectStorageSettings.read(texts),
                new Logging(
                        texts.text(Setting.AP_LOG_LEVEL),
                        texts.integer(Setting.AP_LOG_SAMPLE_RATE_INFO),
                        texts.integer(Setting.AP_LOG_KEEP_SLOW_MS)),
                texts.text(Setting.AP_ENVIRONMENT),
                texts.flag(Setting.AP_TELEMETRY_ENABLED),
                List.copyOf(texts.unknown()));
    }

    /** One without the other is nothing. */
    private static Optional<Google> google(SettingTexts texts) {
        return optional(texts, Setting.AP_GOOGLE_CLIENT_ID)
                .flatMap(id -> optional(texts, Setting.AP_GOOGLE_CLIENT_SECRET)
                        .map(secret -> new Google(texts.text(Setting.AP_GOOGLE_ISSUER_URL), id, secret)));
    }

    private static Postgres postgres(SettingTexts texts) {
        return new Postgres(
                optional(texts, Setting.AP_POSTGRES_URL),
                optional(texts, Setting.AP_POSTGRES_HOST),
                texts.integer(Setting.AP_POSTGRES_PORT),
                texts.text(Setting.AP_POSTGRES_DATABASE),
                texts.text(Setting.AP_POSTGRES_USERNAME),
                texts.text(Setting.AP_POSTGRES_PASSWORD),
                texts.flag(Setting.AP_POSTGRES_USE_SSL),
                optional(texts, Setting.AP_POSTGRES_SSL_CA),
                texts.integer(Setting.AP_POSTGRES_POOL_SIZE),
                texts.integer(Setting.AP_POSTGRES_IDLE_TIMEOUT_MS),
                Duration.ofSeconds(texts.integer(Setting.AP_POSTGRES_PATIENCE_SECONDS)));
    }

    private static Engine engine(SettingTexts texts, int fileMegabytes, int logMegabytes) {
        return new Engine(
                Duration.ofSeconds(texts.integer(Setting.AP_FLOW_TIMEOUT_SECONDS)),
                Duration.ofSeconds(texts.integer(Setting.AP_TRIGGER_TIMEOUT_SECONDS)),
                logMegabytes * MEGABYTE - LOG_HEADROOM_BYTES,
                texts.integer(Setting.AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB) * KILOBYTE,
                texts.integer(Setting.AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB) * KILOBYTE,
                memoryBytesMax(texts.integer(Setting.AP_RUN_MEMORY_MAX_MB)),
                texts.integer(Setting.AP_SANDBOX_MEMORY_LIMIT) * KILOBYTE,
                texts.integer(Setting.AP_WORKER_CONCURRENCY),
                texts.flag(Setting.AP_PROJECT_RATE_LIMITER_ENABLED),
                texts.integer(Setting.AP_DEFAULT_CONCURRENT_JOBS_LIMIT),
                fileMegabytes * MEGABYTE,
                texts.integer(Setting.AP_MAX_STORE_ENTRY_VALUE_SIZE_KB) * KILOBYTE,
                PauseSettings.read(texts),
                texts.flag(Setting.AP_ENABLE_FLOW_ON_PUBLISH),
                texts.flag(Setting.AP_PREWARM_CACHE_ON_STARTUP));
    }

    private static long memoryBytesMax(int megabytes) {
        return megabytes == 0 ? Runtime.getRuntime().maxMemory() / 2 : megabytes * MEGABYTE;
    }

    /** Entries between commas, without blanks around them. */
    private static List<String> words(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    static Optional<String> optional(SettingTexts texts, Setting setting) {
        var text = texts.text(setting);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
