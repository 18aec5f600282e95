package io.millrace.base.config;

import java.util.Set;

/**
 * Every setting: its public name, default, unit and meaning (contract admin-api 37, flows-and-engine 33).
 *
 * <p>{@code conf/millrace.properties} and {@code settings.md} list the same; a test keeps them equal.
 */
public enum Setting {
    AP_HOST(Kind.text(), "0.0.0.0", "address", "address that the HTTP server listens on"),
    AP_PORT(Kind.integer(0, 65535), "8080", "port", "port that the HTTP server listens on; 0 picks a free one"),
    AP_FRONTEND_URL(Kind.url(), "", "URL", "public base URL of the server; empty means http://localhost and the port"),
    AP_WEBHOOK_URL(
            Kind.url(),
            "",
            "URL",
            "public base URL of webhooks, resumed runs and forms, on a host that serves nothing else; empty:"
                    + " AP_FRONTEND_URL"),
    AP_DATA_DIR(Kind.text(), "./data", "path", "folder of the embedded database, generated secrets and files"),
    AP_CODE_UID(
            Kind.integer(1, 65535),
            "65521",
            "user id",
            "user id of code steps of the built-in engine, and group id of Python processes, if the server runs as root"),
    AP_PIECE_UID(
            Kind.integer(1, 65535),
            "65522",
            "user id",
            "group id of processes of npm pieces, of code in Node.js and of the package manager, if the server runs"
                    + " as root"),
    AP_PROCESS_UIDS(
            Kind.integer(0, 4_096),
            "256",
            "users",
            "users for processes of npm pieces, code in Node.js or Python, the package manager and document readers, one"
                    + " per process, if the server is root; further processes, and all with 0, share AP_CODE_UID or"
                    + " AP_PIECE_UID"),
    AP_PROCESS_UID_FIRST(
            Kind.integer(1, 61_000),
            "60600",
            "user id",
            "number of the first of these users; no other program of the host can use them"),
    AP_EMBEDDED_POSTGRES_UID(
            Kind.integer(1, 65535),
            "65534",
            "user id",
            "user id of a new embedded database, if the server runs as root; it needs an entry in" + " /etc/passwd"),
    AP_ENVIRONMENT(Kind.option("prod", "dev", "test"), "prod", "prod, dev or test", "reported to clients as a flag"),
    AP_ENCRYPTION_KEY(
            Kind.secret(),
            "",
            "32 hexadecimal characters",
            "key that encrypts secrets at rest; empty: generated once and stored in AP_DATA_DIR"),
    AP_KNOWN_ENCRYPTION_KEYS(
            Kind.secret(), "", "comma-separated keys", "additional keys for decrypting secrets at rest"),
    AP_JWT_SECRET(Kind.secret(), "", "text", "signs access tokens; empty: generated once and stored in AP_DATA_DIR"),
    AP_JWT_SECRET_PREVIOUS(
            Kind.secret(),
            "",
            "text",
            "former value of AP_JWT_SECRET: links in mail and file URLs signed with it stay valid; sessions" + " end"),
    AP_POSTGRES_URL(
            Kind.secret(),
            "",
            "URL",
            "external PostgreSQL, overrides the parts; sslmode, sslrootcert, sslcert and sslkey in its query as in"
                    + " libpq; empty: embedded"),
    AP_POSTGRES_HOST(Kind.text(), "", "host name", "external PostgreSQL; empty: embedded"),
    AP_POSTGRES_PORT(Kind.integer(1, 65535), "5432", "port", "port of the external PostgreSQL"),
    AP_POSTGRES_DATABASE(Kind.text(), "millrace", "name", "database of the external PostgreSQL"),
    AP_POSTGRES_USERNAME(Kind.text(), "postgres", "name", "user of the external PostgreSQL"),
    AP_POSTGRES_PASSWORD(Kind.secret(), "", "text", "password of the external PostgreSQL"),
    AP_POSTGRES_USE_SSL(Kind.flag(), "false", "true or false", "encrypts the connection to the external PostgreSQL"),
    AP_POSTGRES_SSL_CA(
            Kind.text(),
            "",
            "PEM text",
            "certificate authority of the external PostgreSQL, also for a URL without sslrootcert"),
    AP_POSTGRES_POOL_SIZE(
            Kind.integer(2, 1000),
            "8",
            "connections",
            "connections to PostgreSQL; with six or more, two are reserved for commits of runs"),
    AP_POSTGRES_IDLE_TIMEOUT_MS(
            Kind.integer(0, Integer.MAX_VALUE),
            "300000",
            "milliseconds",
            "time until an idle connection is closed; capped at AP_POSTGRES_STATEMENT_SECONDS; 0: that" + " value"),
    AP_POSTGRES_PATIENCE_SECONDS(
            Kind.integer(0, 20),
            "2",
            "seconds",
            "time that a run start waits for an unavailable database before it answers 503"),
    AP_POSTGRES_STATEMENT_SECONDS(
            Kind.integer(5, 3600),
            "60",
            "seconds",
            "maximum duration of a statement and of an idle transaction; a silent connection is closed 5"
                    + " seconds later"),
    AP_POSTGRES_START_PATIENCE_SECONDS(
            Kind.integer(0, 86_400),
            "600",
            "seconds",
            "time that a server start waits for free disk space or for an unavailable database before the"
                    + " process exits; 0: no wait"),
    AP_CLUSTER_MEMBERS(
            Kind.text(),
            "",
            "addresses",
            "nodes of the cluster, including this one, as host:port between commas; empty: nodes exchange"
                    + " messages through PostgreSQL"),
    AP_CLUSTER_KUBERNETES_SERVICE(
            Kind.text(),
            "",
            "DNS name",
            "headless service that resolves to the addresses of the nodes, instead of AP_CLUSTER_MEMBERS"),
    AP_CLUSTER_HOST(
            Kind.text(),
            "",
            "address",
            "address of this node for other nodes of the cluster; the only address that the cluster port is"
                    + " bound to"),
    AP_CLUSTER_PORT(
            Kind.integer(1, 65534), "5701", "port", "port for other nodes of the cluster; the next port is used too"),
    AP_CLUSTER_PUBLIC_PORT(
            Kind.integer(0, 65534),
            "0",
            "port",
            "port under which other nodes reach AP_CLUSTER_PORT if ports are mapped, followed by the next"
                    + " one; 0: the same"),
    AP_CLUSTER_PASSWORD(
            Kind.secret(),
            "",
            "text",
            "shared secret of all nodes, at least 16 characters; signs messages between nodes"),
    AP_NODE_ROLE(
            Kind.option("all", "api", "worker"),
            "all",
            "all, api or worker",
            "role of this node: calls (api), work queued in the database (worker), or both (all); a worker"
                    + " serves probes only"),
    AP_CLIENT_REAL_IP_HEADER(
            Kind.text(),
            "x-real-ip",
            "header name",
            "request header with the client address, set by a trusted proxy; with the default"
                    + " X-Forwarded-For, Forwarded is read too"),
    AP_TRUSTED_PROXIES(
            Kind.blocks(),
            "127.0.0.0/8,::1",
            "IPs or CIDRs, or none",
            "proxies whose client address header is trusted; proxies on other hosts must be listed"),
    AP_HTTP_CONNECTIONS_MAX(
            Kind.integer(0, 1_000_000),
            "0",
            "connections",
            "maximum number of client connections; 0: 10000, or fewer if the limit of open files is low"),
    AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX(
            Kind.integer(0, 1_000_000),
            "0",
            "connections",
            "maximum number of connections per client address, except trusted proxies; 0: a quarter of all"),
    AP_HTTP_HEADER_TIMEOUT_SECONDS(Kind.integer(1, 3_600), "30", "seconds", "deadline for the headers of a request"),
    AP_HTTP_BODY_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600),
            "60",
            "seconds",
            "deadline for sending a body and for reading a response; after it AP_HTTP_RATE_MIN_KB applies"),
    AP_HTTP_RATE_MIN_KB(
            Kind.integer(1, 1024 * 1024), "32", "KB per second", "minimum rate of large bodies and responses"),
    AP_HTTP_BODY_MEMORY_MAX_MB(
            Kind.integer(0, 1024 * 1024),
            "0",
            "MB",
            "memory of request bodies in progress, beyond which a request is answered 429, and of unread"
                    + " responses, beyond which it is answered 503; 0: a quarter of the old generation of the heap"),
    AP_HTTP_BODY_DISK_MAX_MB(
            Kind.integer(1, 1024 * 1024),
            "1024",
            "MB",
            "disk space of large webhook bodies in progress, beyond which a call is answered 429"),
    AP_HTTP_UNKNOWN_BODY_MAX_KB(
            Kind.integer(16, 1024 * 1024),
            "1024",
            "KB",
            "largest API request body of an unauthenticated caller; larger ones are read after" + " authentication"),
    AP_LIVE_UNKNOWN_MAX(
            Kind.integer(1, 1_000_000),
            "100",
            "sockets",
            "unauthenticated live sockets per event loop; beyond it the oldest is closed"),
    AP_LIVE_MESSAGE_MAX_MB(
            Kind.integer(1, 1024),
            "100",
            "MB",
            "largest message of an authenticated live socket; AP_MAX_FILE_SIZE_MB and 4 MB if that is more"),
    AP_LIVE_UNREAD_PONGS_MAX(
            Kind.integer(1, 1_000_000),
            "100",
            "pongs",
            "unread answers to pings of a live socket; beyond it the connection is closed"),
    AP_API_RATE_LIMIT_AUTHN_ENABLED(Kind.flag(), "true", "true or false", "limits sign-in requests per client address"),
    AP_API_RATE_LIMIT_AUTHN_MAX(
            Kind.integer(1, Integer.MAX_VALUE),
            "50",
            "requests",
            "sign-in requests per client address and window; the same number of registrations of MCP"
                    + " clients is allowed"),
    AP_API_RATE_LIMIT_AUTHN_WINDOW(
            Kind.duration(), "1 minute", "duration", "window of the sign-in limit, for example 30 seconds"),
    AP_SIGN_IN_FAILURES_MAX(
            Kind.integer(1, Integer.MAX_VALUE),
            "100",
            "passwords",
            "wrong passwords per e-mail address and hour; beyond it sign-in with a password is refused until the hour is over or the"
                    + " password is reset; without effect if AP_API_RATE_LIMIT_AUTHN_ENABLED is false"),
    AP_API_RATE_LIMIT_EMAIL_CODE_MAX(
            Kind.integer(1, Integer.MAX_VALUE), "5", "requests", "mailed codes per client address and window"),
    AP_API_RATE_LIMIT_CALLER_MAX(
            Kind.integer(0, Integer.MAX_VALUE),
            "0",
            "requests",
            "API requests per user or API key, window and node, beyond which they are answered 429; 0: no" + " limit"),
    AP_API_RATE_LIMIT_ADDRESS_MAX(
            Kind.integer(0, Integer.MAX_VALUE),
            "0",
            "requests",
            "API requests per client address, window and node, without webhooks; 0: no limit"),
    AP_API_RATE_LIMIT_WINDOW(Kind.duration(), "1 minute", "duration", "window of the limits of API requests"),
    AP_ALLOW_OPEN_SIGN_UP(Kind.flag(), "false", "true or false", "allows sign-up without an invitation"),
    AP_SCIM_DEFAULT_PROJECT_ROLE(
            Kind.option("Admin", "Editor", "Viewer"),
            "Editor",
            "Admin, Editor or Viewer",
            "role in a team project of users that a directory assigns to it"),
    AP_SMTP_HOST(Kind.text(), "", "host name", "mail server; mail is sent if host and port are set"),
    AP_SMTP_PORT(
            Kind.integer(1, 65535),
            "",
            "port",
            "port of the mail server; 465 uses TLS from the start, other ports use STARTTLS if the server"
                    + " offers it"),
    AP_SMTP_USERNAME(
            Kind.text(),
            "",
            "name",
            "user of the mail server; empty, with the password, for a server that accepts mail without" + " login"),
    AP_SMTP_PASSWORD(Kind.secret(), "", "text", "password of the mail server"),
    AP_SMTP_SENDER_EMAIL(
            Kind.text(),
            "",
            "e-mail address",
            "sender of mail; empty: AP_SMTP_USERNAME, which must then be an address"),
    AP_SMTP_SENDER_NAME(Kind.text(), "", "name", "name of the sender; empty: the name of the platform"),
    AP_SMTP_TLS_REJECT_UNAUTHORIZED(
            Kind.flag(), "true", "true or false", "rejects a mail server whose certificate cannot be verified"),
    AP_SMTP_TLS_CA(Kind.text(), "", "PEM text", "certificate authorities of the mail server; empty: those of the JDK"),
    AP_GOOGLE_CLIENT_ID(Kind.text(), "", "text", "Google OAuth client for sign-in; needs AP_GOOGLE_CLIENT_SECRET"),
    AP_GOOGLE_CLIENT_SECRET(Kind.secret(), "", "text", "secret of the Google OAuth client"),
    AP_GOOGLE_ISSUER_URL(Kind.url(), "https://accounts.google.com", "URL", "where Google's sign-in describes itself"),
    AP_TELEMETRY_ENABLED(
            Kind.flag(), "true", "true or false", "initial value of a platform's telemetry setting; nothing is sent"),
    AP_FLOW_TIMEOUT_SECONDS(Kind.integer(1, 86_400), "600", "seconds", "maximum execution time of a run"),
    AP_TRIGGER_TIMEOUT_SECONDS(Kind.integer(1, 3_600), "60", "seconds", "maximum execution time of a trigger"),
    AP_TRIGGER_HOOKS_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600),
            "180",
            "seconds",
            "maximum time for enabling, disabling, renewing or testing a trigger"),
    AP_TRIGGER_DEFAULT_POLL_INTERVAL(
            Kind.integer(1, 59), "5", "minutes", "interval of a polling trigger without its own schedule"),
    AP_SCHEDULE_MISFIRE_POLICY(
            Kind.option("skip", "once", "all"),
            "once",
            "skip, once or all",
            "runs for scheduled times that passed while the server was down"),
    AP_SCHEDULE_MISFIRE_MAX(
            Kind.integer(1, 10_000),
            "100",
            "runs",
            "maximum number of runs for missed times of one schedule, with the policy all"),
    AP_APP_WEBHOOK_SECRETS(
            Kind.secret(), "", "JSON", "secrets for verifying app events: {\"slack\": {\"webhookSecret\": \"...\"}}"),
    AP_APP_EVENT_SIGNATURE_AGE_SECONDS(
            Kind.integer(1, 86_400), "300", "seconds", "maximum age of a timestamped signature of an app event"),
    AP_MICROSOFT_LOGIN_URL(
            Kind.url(),
            "https://login.microsoftonline.com",
            "URL",
            "token endpoints of Microsoft; national clouds use others"),
    AP_MICROSOFT_GRAPH_URL(Kind.url(), "https://graph.microsoft.com", "URL", "Microsoft Graph, without a version"),
    AP_MICROSOFT_BOT_SERVICE_URL(
            Kind.url(),
            "https://smba.trafficmanager.net/teams",
            "URL",
            "Bot Connector that a bot of Microsoft Teams sends through"),
    AP_MICROSOFT_BOT_METADATA_URL(
            Kind.url(),
            "https://login.botframework.com/v1/.well-known/openidconfiguration",
            "URL",
            "OpenID metadata of the Bot Framework"),
    AP_MICROSOFT_BOT_ISSUER(
            Kind.url(), "https://api.botframework.com", "URL", "issuer of the tokens in requests to bots"),
    AP_MICROSOFT_BOT_KEYS_MINUTES(
            Kind.integer(1, 10_080), "1440", "minutes", "time that the keys of the Bot Framework are cached"),
    AP_EVENT_DESTINATION_TIMEOUT_SECONDS(
            Kind.integer(1, 300), "10", "seconds", "maximum time for delivering an event to a destination"),
    AP_WEBHOOK_TIMEOUT_SECONDS(Kind.integer(1, 900), "30", "seconds", "maximum wait of a synchronous webhook call"),
    AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB(Kind.integer(1, 1024), "25", "MB", "largest payload of a webhook call"),
    AP_WEBHOOK_RAW_BODY_MAX_MB(
            Kind.integer(0, 1024),
            "4",
            "MB",
            "largest JSON body of a webhook call that is stored as text in addition to its value"),
    AP_IDEMPOTENCY_KEY_HOURS(
            Kind.integer(1, 24 * 365),
            "24",
            "hours",
            "time that an idempotency key is remembered: a repeated run start or API request is answered"
                    + " like the first"),
    AP_IDEMPOTENCY_KEYS_PER_CALLER_MAX(
            Kind.integer(10, 1_000_000),
            "2000",
            "keys",
            "idempotency keys of API requests per user or API key; beyond it the oldest are deleted"),
    AP_IDEMPOTENCY_ANSWERS_PER_CALLER_MAX_MB(
            Kind.integer(1, 1024),
            "16",
            "MB",
            "compressed responses stored per user or API key; beyond it the oldest are deleted; one"
                    + " response takes at most a quarter"),
    AP_WEBHOOK_BACKLOG_MAX(
            Kind.integer(1, Integer.MAX_VALUE),
            "20000",
            "runs",
            "accepted live runs in memory; beyond it, and for a project with more than four times the"
                    + " remaining number, a webhook call is answered 429"),
    AP_RUN_MEMORY_MAX_MB(
            Kind.integer(0, 1024 * 1024),
            "0",
            "MB",
            "memory of live runs beyond which a webhook call is answered 429; 0: half of the old generation of the"
                    + " heap"),
    AP_RUN_CRASH_RECOVERIES_MAX(
            Kind.integer(1, 100),
            "6",
            "recoveries",
            "number of times that a run is resumed after servers that crashed at the same step; then it is"
                    + " set aside"),
    AP_MAX_FLOW_RUN_LOG_SIZE_MB(
            Kind.integer(1, 1024),
            "50",
            "MB",
            "inputs and outputs of one run; beyond it the run ends with LOG_SIZE_EXCEEDED"),
    AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB(
            Kind.integer(1, 1024 * 1024), "2", "KB", "larger step inputs are shortened in the log"),
    AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB(
            Kind.integer(1, 1024 * 1024),
            "32",
            "KB",
            "larger outputs of steps are stored separately from the log of their run"),
    AP_SANDBOX_MEMORY_LIMIT(
            Kind.integer(16 * 1024, Integer.MAX_VALUE),
            "262144",
            "KB",
            "memory that one call of code or of an npm piece can allocate"),
    AP_WORKER_CONCURRENCY(
            Kind.integer(1, 256),
            "5",
            "calls",
            "concurrent calls of code, and concurrent processes of npm pieces; fewer if the machine lacks" + " memory"),
    AP_DEFAULT_CONCURRENT_JOBS_LIMIT(
            Kind.integer(1, Integer.MAX_VALUE),
            "5",
            "runs",
            "concurrent runs per node of a project without its own limit; further runs are queued"),
    AP_PROJECT_RATE_LIMITER_ENABLED(Kind.flag(), "true", "true or false", "limits the concurrent runs of a project"),
    AP_TEAM_PROJECTS_MAX(
            Kind.integer(1, 1_000_000),
            "10000",
            "projects",
            "team projects per platform, including those of embedding and directories; beyond it none is" + " created"),
    AP_PROJECT_ROWS_MAX(
            Kind.integer(1, 1_000_000),
            "10000",
            "rows",
            "maximum number of flows, folders, tables, variables, agents, own connections and releases of a project,"
                    + " for each kind"),
    AP_ALERT_RECEIVERS_MAX(
            Kind.integer(1, 10_000),
            "100",
            "receivers",
            "alert recipients per project; all of them get a mail when a flow fails"),
    AP_INVITATIONS_MAX(Kind.integer(1, 1_000_000), "10000", "invitations", "pending invitations per platform"),
    AP_TEMPLATES_MAX(
            Kind.integer(1, 1_000_000),
            "10000",
            "templates",
            "templates per platform, of each kind: those of the platform, and those that its users have shared"),
    AP_TABLE_WEBHOOKS_MAX(
            Kind.integer(1, 10_000),
            "100",
            "webhooks",
            "webhooks per table; each starts a flow for every change that it subscribes to"),
    AP_STORE_ENTRIES_MAX(
            Kind.integer(1, 10_000_000),
            "100000",
            "entries",
            "entries in the store of a project, including those of its flows and runs"),
    AP_MCP_SERVERS_MAX(
            Kind.integer(0, 10_000),
            "50",
            "servers",
            "custom MCP servers per project, in addition to the one that each project has"),
    AP_FLOW_TESTS_MAX(Kind.integer(1, 2_000), "200", "tests", "tests of a flow"),
    AP_FLOW_TEST_MAX_KB(
            Kind.integer(1, 4_096), "256", "KB", "size of a test of a flow: its event, fixtures and expectations"),
    AP_EVENT_DESTINATIONS_MAX(
            Kind.integer(1, 10_000),
            "100",
            "destinations",
            "event destinations per platform; each is called for every event that it subscribes to"),
    AP_ISSUES_PER_FLOW_MAX(
            Kind.integer(1, 100_000),
            "200",
            "issues",
            "issues of a flow, which are failures grouped by step and message; failures beyond it"
                    + " are counted together"),
    AP_ISSUE_ARCHIVE_DAYS(
            Kind.integer(1, 3_650), "7", "days", "days without a failure after which an issue is archived"),
    AP_DIAGNOSIS_LOG_MAX_MB(
            Kind.integer(1, 64),
            "4",
            "MB",
            "longest log of a run that a diagnosis reads; a longer one is diagnosed without its data"),
    AP_EVENT_LISTENERS_MAX(
            Kind.integer(0, 100_000),
            "1000",
            "listeners",
            "open event streams of projects per node; beyond it the answer is 429"),
    AP_EVENT_RETENTION_MINUTES(
            Kind.integer(1, 1_440),
            "10",
            "minutes",
            "time after which events of a project are deleted, and for which they are recorded after"
                    + " the last listener has left"),
    AP_MAX_FILE_SIZE_MB(Kind.integer(1, 1024), "25", "MB", "largest file of an action or trigger"),
    AP_FILE_STORAGE_LOCATION(
            Kind.option("DB", "S3"),
            "DB",
            "DB or S3",
            "where files of actions and triggers, and large outputs, are kept"),
    AP_S3_ENDPOINT(Kind.url(), "", "URL", "S3-compatible storage; empty: Amazon S3 in the region"),
    AP_S3_BUCKET(Kind.text(), "", "name", "bucket for files"),
    AP_S3_REGION(Kind.text(), "", "name", "region of the bucket"),
    AP_S3_ACCESS_KEY_ID(Kind.text(), "", "text", "access key of the bucket"),
    AP_S3_SECRET_ACCESS_KEY(Kind.secret(), "", "text", "secret of the access key"),
    AP_S3_USE_SIGNED_URLS(
            Kind.flag(), "false", "true or false", "clients read and write files directly in the storage"),
    AP_S3_USE_IRSA(Kind.flag(), "false", "true or false", "uses a role of the host instead of an access key"),
    AWS_ROLE_ARN(Kind.text(), "", "ARN", "role that opens the bucket; set by Kubernetes"),
    AWS_WEB_IDENTITY_TOKEN_FILE(Kind.text(), "", "path", "file of the token for the role; set by Kubernetes"),
    AWS_ENDPOINT_URL_STS(
            Kind.url(),
            "",
            "URL",
            "token service for the role, listed in AP_SSRF_ALLOW_LIST if its address is private; empty:"
                    + " Amazon's in the region"),
    AP_MAX_STORE_ENTRY_VALUE_SIZE_KB(Kind.integer(1, 1024 * 1024), "512", "KB", "largest value in a store"),
    AP_MAX_RECORDS_PER_TABLE(Kind.integer(1, 1_000_000), "10000", "records", "records per table"),
    AP_MAX_FIELDS_PER_TABLE(Kind.integer(1, 1_000), "100", "fields", "fields per table"),
    AP_IMPORT_WORKFLOWS_MAX(
            Kind.integer(1, 1_000), "100", "workflows", "workflows of another product in one import request"),
    AP_IMPORT_NODES_MAX(
            Kind.integer(1, 5_000), "1000", "nodes", "nodes of a workflow of another product that can be imported"),
    AP_PAUSED_FLOW_TIMEOUT_DAYS(
            Kind.integer(1, 3650), "30", "days", "maximum pause of a run; at most AP_EXECUTION_DATA_RETENTION_DAYS"),
    AP_EXECUTION_DATA_RETENTION_DAYS(
            Kind.integer(1, 3650), "30", "days", "retention of runs, their data and audit events"),
    AP_BACKUP_AT(
            Kind.text(),
            "",
            "times of the day in UTC",
            "times of the daily backups, for example 03:00 or 00:00,12:00; empty: no backups"),
    AP_BACKUP_TARGET(
            Kind.text(),
            "",
            "folder or s3://BUCKET/PREFIX",
            "where backups go, into a bucket by the endpoint, region and key of AP_S3_; empty: the folder backups in"
                    + " AP_DATA_DIR"),
    AP_BACKUP_KEY_FILE(
            Kind.text(), "", "path", "file of 64 hexadecimal characters that encrypts backups; empty: no encryption"),
    AP_BACKUP_KEEP(Kind.integer(0, 10_000), "7", "backups", "number of newest backups that are kept; 0: any number"),
    AP_BACKUP_KEEP_DAYS(
            Kind.integer(0, 3650), "0", "days", "retention of backups; the newest is always kept; 0: no limit"),
    AP_BACKUP_BEFORE_MIGRATION(
            Kind.flag(),
            "true",
            "true or false",
            "takes a backup before a schema migration, into the folder of AP_BACKUP_TARGET, or into the"
                    + " folder backups in AP_DATA_DIR if that is a bucket"),
    AP_BACKUP_WAL(
            Kind.flag(),
            "false",
            "true or false",
            "archives the write-ahead log of the embedded database with the backups, so that restore --at"
                    + " can restore any moment"),
    AP_ENABLE_FLOW_ON_PUBLISH(Kind.flag(), "true", "true or false", "publishing a flow also enables it"),
    AP_ENFORCE_CONNECTION_PIECE_BINDING(
            Kind.flag(),
            "false",
            "true or false",
            "passes a connection only to steps and triggers of its own piece, not to code, loops or routers"),
    AP_PREWARM_CACHE_ON_STARTUP(
            Kind.flag(),
            "false",
            "true or false",
            "prepares the 500 enabled flows that changed last after the start, instead of at their first" + " run"),
    AP_SHUTDOWN_SECONDS(
            Kind.integer(2, 3600),
            "8",
            "seconds",
            "total time for a stop, from the signal to the end of the process; the next start resumes"
                    + " unfinished work"),
    AP_SHUTDOWN_DRAIN_SECONDS(
            Kind.integer(0, 300),
            "0",
            "seconds",
            "time before a stop in which the server still serves while /health/ready reports that it stops;"
                    + " added to AP_SHUTDOWN_SECONDS"),
    AP_EVENT_LOOPS(
            Kind.integer(0, 256),
            "0",
            "event loops",
            "event loops that receive webhooks and execute runs; 0: one per two processors"),
    AP_PURE_PROGRAMS_ENABLED(
            Kind.flag(),
            "true",
            "true or false",
            "executes webhook calls of flows without outside effects by a shorter way with equal results"),
    AP_CODE_IN_SERVER_ENABLED(
            Kind.flag(),
            "true",
            "true or false",
            "evaluates code steps without effects in the server instead of a worker process, with equal results; off"
                    + " if AP_EXECUTION_MODE is given"),
    AP_NODE_PATH(Kind.text(), "", "path", "Node.js executable for npm pieces; empty: searched on the PATH"),
    AP_NPM_REGISTRY_URL(Kind.url(), "", "URL", "registry of npm pieces; empty: the registry in ~/.npmrc, or npmjs.org"),
    AP_CODE_DEPENDENCIES(
            Kind.option("off", "allow-list", "on"),
            "on",
            "off, allow-list or on",
            "npm packages of code steps: none (off), those of AP_CODE_DEPENDENCIES_ALLOW_LIST (allow-list),"
                    + " or all (on)"),
    AP_CODE_DEPENDENCIES_ALLOW_LIST(
            Kind.text(),
            "",
            "comma-separated names",
            "npm packages for code steps if AP_CODE_DEPENDENCIES is allow-list"),
    AP_CODE_PROGRAM_MAX_MB(
            Kind.integer(1, 16), "8", "MB", "largest program of a code step, including its npm packages"),
    AP_CODE_SCRATCH_MAX_MB(
            Kind.integer(1, 4_096), "64", "MB", "temporary files of the code of a project, including unnamed files"),
    AP_PIECE_SCRATCH_MAX_MB(
            Kind.integer(1, 1024 * 1024),
            "512",
            "MB",
            "temporary files of a process of npm pieces, including unnamed files"),
    AP_PACKAGE_INSTALL_MEMORY_MAX_MB(
            Kind.integer(128, 1024 * 1024),
            "1024",
            "MB",
            "memory of the package manager during an installation; beyond it the installation is killed"),
    AP_PACKAGE_INSTALL_FILES_MAX_MB(
            Kind.integer(16, 1024 * 1024),
            "1024",
            "MB",
            "files of the package manager during an installation: downloads and unpacked packages"),
    AP_CODE_OPEN_FILES_MAX(
            Kind.integer(64, 1024 * 1024),
            "512",
            "files",
            "open files and connections of a process of npm pieces, or of code in Node.js or Python"),
    AP_CODE_OUTPUT_FILES_MAX(
            Kind.integer(1, 1_000),
            "20",
            "files",
            "values of bytes in the output of a Python step, each of which is stored as a file"),
    AP_CODE_THREADS_MAX(
            Kind.integer(16, 65_536),
            "128",
            "threads",
            "threads of a process of npm pieces, or of code in Node.js or Python; a process with more is" + " killed"),
    AP_CODE_PROCESSES_BEYOND_MAX(
            Kind.integer(2, 256),
            "16",
            "processes",
            "processes of each kind beyond AP_WORKER_CONCURRENCY, for projects without a process while"
                    + " others keep all of them busy; fewer, but two, if the machine lacks memory"),
    AP_CODE_BACKOFF_MAX_SECONDS(
            Kind.integer(0, 300),
            "2",
            "seconds",
            "maximum delay before the next call of a code step whose processes were killed: none after the"
                    + " first kill, then a quarter of a second, doubled each time; 0: no delay"),
    AP_CODE_BACKOFF_RESET_SECONDS(
            Kind.integer(1, 86_400),
            "60",
            "seconds",
            "time after which kills of processes and failed calls of a code step are forgotten"),
    AP_CODE_FAILURES_PER_SECOND(
            Kind.integer(0, 100_000),
            "5",
            "calls",
            "calls of a program in Node.js or Python that can begin per second after twenty consecutive"
                    + " failures; each waits at most a second; 0: no limit"),
    AP_CODE_PROCESSORS_LEFT(
            Kind.integer(0, 1_024),
            "1",
            "processors",
            "processors reserved for other work: calls that have used 40 ms of processor time, and"
                    + " processes without a completed call, cannot use them; code always keeps one; 0: none"),
    AP_CODE_PYTHON(
            Kind.flag(),
            "true",
            "true or false",
            "allows code steps in Python, if the kernel isolates their processes"),
    AP_PYTHON_PATH(
            Kind.text(), "", "path", "Python executable; empty: /usr/bin/python3, or the first python3 on the PATH"),
    AP_NODE_NATIVE_PACKAGES(
            Kind.text(),
            "",
            "names, comma-separated",
            "npm pieces, and npm packages of code steps, that may load native code, on every platform or,"
                    + " as platformId:name, on one; their processes run without the permission model of Node.js"),
    AP_NODE_REQUIRE_FENCE(
            Kind.flag(),
            "false",
            "true or false",
            "refuses npm pieces, their installation and code steps in Node.js on a host whose kernel cannot"
                    + " prevent their processes from opening connections"),
    AP_PIECE_PROCESS_KEPT_MB(
            Kind.integer(64, 1024 * 1024),
            "256",
            "MB",
            "memory of a process of npm pieces after a call; a process with more is replaced"),
    AP_PIECES_SYNC_MODE(
            Kind.option("OFFICIAL_AUTO", "NONE"),
            "OFFICIAL_AUTO",
            "OFFICIAL_AUTO or NONE",
            "installs a missing official piece that a flow pins from the registry (OFFICIAL_AUTO), or never"
                    + " (NONE)"),
    AP_PIECES_SYNC_URL(
            Kind.url(),
            "",
            "URL",
            "URL of a list of published pieces that replaces the built-in list, in the format of GET"
                    + " /v1/pieces; empty: none; used with AP_PIECES_SYNC_MODE=OFFICIAL_AUTO"),
    AP_PIECES_SYNC_INTERVAL_MINUTES(
            Kind.integer(5, 10_080), "60", "minutes", "interval for fetching the list of published pieces"),
    AP_PIECES_SYNC_MAX_MB(Kind.integer(1, 64), "16", "MB", "largest list of published pieces after decompression"),
    AP_PIECE_LOGO_MAX_KB(Kind.integer(1, 4_096), "256", "KB", "largest logo of a piece that is fetched"),
    AP_PIECE_LOGO_CACHE_MB(Kind.integer(1, 1_024), "8", "MB", "memory for fetched logos of pieces"),
    AP_GIT_SSH_PORT(Kind.integer(1, 65535), "22", "port", "SSH port of git servers"),
    AP_GIT_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600),
            "60",
            "seconds",
            "maximum duration of a push to or pull from the git repository of a project"),
    AP_GIT_REPOSITORY_SIZE_MB(
            Kind.integer(1, 1024),
            "50",
            "MB",
            "maximum size of a transfer from a git server, packed and unpacked, and of the files of a" + " project"),
    AP_MCP_ALLOWED_ORIGINS(
            Kind.text(),
            "",
            "origins, comma-separated",
            "pages that can call MCP servers in addition to those of this server and of localhost; *: any"),
    AP_REDECISION_RUNS_MAX(
            Kind.integer(1, 10_000_000),
            "1000000",
            "runs",
            "runs that one re-decision of the history of a flow reads; a request for more is refused"),
    AP_REDECISIONS_MAX(
            Kind.integer(1, 100),
            "1",
            "requests",
            "re-decisions of one project that a node executes at a time; further ones are refused with 429"),
    AP_APPROVAL_APPROVERS_MAX(
            Kind.integer(1, 500), "20", "approvers", "named approvers of an approval, with those of its escalation"),
    AP_APPROVAL_REMINDERS_MAX(Kind.integer(0, 1000), "20", "mails", "reminder mails of an approval to an approver"),
    AP_APPROVAL_DATA_MAX_KB(Kind.integer(1, 1024), "64", "KB", "message, data and form of an approval"),
    AP_MCP_TOOLS_LISTED_MAX(
            Kind.integer(3, 10_000),
            "100",
            "tools",
            "tools that an MCP server lists; beyond it the list consists of a tool that searches the others, a tool"
                    + " that calls them, and pinned tools"),
    AP_MCP_REFRESH_GRACE_SECONDS(
            Kind.integer(0, 60),
            "10",
            "seconds",
            "period in which a public MCP client that repeats a refresh gets the same new token; later"
                    + " repetitions count as theft and revoke the grant; 0: none"),
    AP_AGENTS_ENABLED(Kind.flag(), "true", "true or false", "enables saved agents that flows can run"),
    AP_AGENT_CONCURRENCY(Kind.integer(1, 10_000), "100", "runs", "concurrent agent runs of a node"),
    AP_AGENT_CONVERSATION_MESSAGES_MAX(
            Kind.integer(2, 1_000),
            "100",
            "messages",
            "earlier messages of a conversation that an agent run continues"),
    AP_ACTION_RUN_CONCURRENCY(
            Kind.integer(1, 10_000),
            "100",
            "runs",
            "concurrent runs of single actions (POST /v1/actions/run) of a node"),
    AP_ACTION_RUNS_WAITING_MAX(
            Kind.integer(1, 1_000_000),
            "1000",
            "runs per project",
            "unfinished runs of single actions; beyond it a start answers 429"),
    AP_OPENAPI_DOCUMENT_MAX_KB(
            Kind.integer(1, 65_536), "10240", "KB", "size of an OpenAPI document that becomes a piece"),
    AP_OPENAPI_OPERATIONS_MAX(
            Kind.integer(1, 5_000),
            "2000",
            "operations",
            "operations of an OpenAPI document, and actions of its piece"),
    AP_OPENAPI_PROPERTIES_MAX(
            Kind.integer(1, 1_000),
            "200",
            "properties per action",
            "properties of an action of an OpenAPI piece; further optional ones are left out and reported"),
    AP_AI_CREDITS_API_KEY(
            Kind.secret(), "", "text", "API key of OpenRouter for the platform AI credits of projects; empty: none"),
    AP_AI_CREDITS_URL(
            Kind.url(),
            "https://openrouter.ai/api/v1",
            "URL",
            "where the platform's AI credits are used: OpenRouter, or a gateway that speaks as it does"),
    AP_MAX_KNOWLEDGE_BASE_FILES(Kind.integer(1, 100_000), "1000", "files", "documents per knowledge base of a project"),
    AP_MAX_KNOWLEDGE_BASE_CHUNKS(
            Kind.integer(1, 1_000_000),
            "20000",
            "chunks of 2000 characters",
            "chunks in the knowledge base of a project; a search compares the query with each of them"),
    AP_AI_USAGE_RETENTION_DAYS(Kind.integer(1, 3_650), "400", "days", "retention of the usage counts of AI models"),
    AP_AI_PRICES_FILE(
            Kind.text(),
            "",
            "path",
            "file with prices of AI models, in the format of conf/model-prices.csv; empty: the prices of this release"),
    AP_ALLOWED_EMBED_ORIGINS(
            Kind.text(), "", "comma-separated origins", "origins whose pages can embed the console of every platform"),
    AP_SSRF_ALLOW_LIST(Kind.text(), "", "IPs or CIDRs", "private addresses that outbound calls can reach"),
    AP_OUTBOUND_CONNECTIONS_PER_HOST_MAX(
            Kind.integer(1, 60_000), "256", "connections", "connections of outbound calls per address"),
    AP_OUTBOUND_WAITING_PER_HOST_MAX(
            Kind.integer(0, 1_000_000),
            "10000",
            "calls",
            "outbound calls waiting for a connection to one address; further calls fail"),
    AP_LOG_LEVEL(Kind.option("trace", "debug", "info", "warn", "error"), "info", "level", "minimum level of log lines"),
    AP_LOG_FORMAT(
            Kind.option("text", "json"),
            "text",
            "text or json",
            "format of log lines: text for people, json for programs"),
    AP_LOG_SAMPLE_RATE_INFO(
            Kind.integer(0, 100), "100", "percent", "fraction of request lines of level info that are logged"),
    AP_LOG_KEEP_SLOW_MS(
            Kind.integer(0, Integer.MAX_VALUE), "2000", "milliseconds", "slower requests are always logged"),
    AP_LOG_SAMPLE_RATE_RUNS(
            Kind.integer(0, 100),
            "10",
            "percent",
            "fraction of successful runs that are logged; failed runs are always logged"),
    AP_METRICS_ENABLED(
            Kind.flag(), "true", "true or false", "collects metrics; false: no metrics, and /metrics answers 404"),
    AP_METRICS_PORT(
            Kind.integer(0, 65535),
            "0",
            "port",
            "port of /metrics, /health/live and /health/ready, open from the beginning of the start; 0:" + " none"),
    AP_METRICS_CONNECTIONS_MAX(
            Kind.integer(1, 65535),
            "100",
            "connections",
            "connections to AP_METRICS_PORT; beyond it a new one is closed at once"),
    AP_METRICS_TOKEN(
            Kind.secret(),
            "",
            "text",
            "bearer token for /metrics; without AP_METRICS_PORT it enables /metrics on AP_PORT"),
    AP_HEALTH_DISK_FREE_MIN_MB(
            Kind.integer(0, 1024 * 1024),
            "256",
            "MB",
            "free disk space of AP_DATA_DIR below which /health/ready reports that the server is not ready"),
    AP_OTEL_ENABLED(Kind.flag(), "false", "true or false", "also sends the log to an OpenTelemetry collector"),
    AP_OTEL_TRACES_ENABLED(
            Kind.flag(),
            "false",
            "true or false",
            "sends traces of calls, runs, steps and outbound requests to an OpenTelemetry collector"),
    OTEL_EXPORTER_OTLP_ENDPOINT(
            Kind.url(),
            "http://localhost:4318",
            "URL",
            "OpenTelemetry collector that accepts OTLP over HTTP; /v1/logs and /v1/traces are appended"),
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT(
            Kind.url(), "", "URL", "URL for logs, used as it is; empty: OTEL_EXPORTER_OTLP_ENDPOINT"),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT(
            Kind.url(), "", "URL", "URL for traces, used as it is; empty: OTEL_EXPORTER_OTLP_ENDPOINT"),
    OTEL_EXPORTER_OTLP_HEADERS(
            Kind.secret(),
            "",
            "name=value between commas",
            "headers of each request to the collector, percent-encoded"),
    OTEL_EXPORTER_OTLP_TIMEOUT(
            Kind.integer(100, 600_000), "10000", "milliseconds", "maximum duration of a request to the collector"),
    OTEL_SERVICE_NAME(Kind.text(), "millrace", "name", "name of this server in telemetry"),
    OTEL_RESOURCE_ATTRIBUTES(
            Kind.text(), "", "name=value between commas", "additional resource attributes, percent-encoded"),
    OTEL_TRACES_SAMPLER(
            Kind.option(
                    "always_on",
                    "always_off",
                    "traceidratio",
                    "parentbased_always_on",
                    "parentbased_always_off",
                    "parentbased_traceidratio"),
            "parentbased_always_on",
            "sampler",
            "traces that are recorded; parentbased: the decision of a caller that is part of a trace" + " applies"),
    OTEL_TRACES_SAMPLER_ARG(Kind.text(), "1", "share from 0 to 1", "fraction of traces that traceidratio records");

    private final Kind kind;
    private final String defaultText;
    private final String unit;
    private final String meaning;

    Setting(Kind kind, String defaultText, String unit, String meaning) {
        this.kind = kind;
        this.defaultText = defaultText;
        this.unit = unit;
        this.meaning = meaning;
    }

    public Kind kind() {
        return kind;
    }

    /** Value when neither the environment nor the file names one; empty means "none". */
    public String defaultText() {
        return defaultText;
    }

    public String unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    public sealed interface Kind {
        record Text() implements Kind {}

        /** Any text, never shown. */
        record Secret() implements Kind {}

        record WholeNumber(int min, int max) implements Kind {}

        record Flag() implements Kind {}

        record Option(Set<String> words) implements Kind {}

        /** An absolute http or https URL, or nothing. */
        record Url() implements Kind {}

        /** A number and a unit: seconds, minutes, hours. */
        record Duration() implements Kind {}

        /** Blocks of IP addresses between commas, or the word none. */
        record Blocks() implements Kind {}

        static Kind text() {
            return new Text();
        }

        static Kind secret() {
            return new Secret();
        }

        static Kind integer(int min, int max) {
            return new WholeNumber(min, max);
        }

        static Kind flag() {
            return new Flag();
        }

        static Kind option(String... words) {
            return new Option(Set.of(words));
        }

        static Kind url() {
            return new Url();
        }

        static Kind duration() {
            return new Duration();
        }

        static Kind blocks() {
            return new Blocks();
        }
    }
}
