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
            "user number",
            "number of the user that code steps in the own engine and in Python run as, where the server is root;"
                    + " those in Node.js run as AP_PIECE_UID"),
    AP_PIECE_UID(
            Kind.integer(1, 65535),
            "65522",
            "user number",
            "number of the user that npm pieces and code steps in Node.js run as, and packages are installed as, where"
                    + " the server is root"),
    AP_EMBEDDED_POSTGRES_UID(
            Kind.integer(1, 65535),
            "65534",
            "user number",
            "number of the user that a new embedded database runs as, where the server is root; it needs a name in"
                    + " /etc/passwd"),
    AP_ENVIRONMENT(Kind.option("prod", "dev", "test"), "prod", "prod, dev or test", "shown to clients as a flag"),
    AP_ENCRYPTION_KEY(
            Kind.secret(), "", "32 hexadecimal characters", "key of secrets at rest; empty: generated once and kept"),
    AP_KNOWN_ENCRYPTION_KEYS(
            Kind.secret(), "", "comma-separated keys", "keys that secrets at rest may also be sealed with"),
    AP_JWT_SECRET(Kind.secret(), "", "text", "signs access tokens; empty: generated once and kept"),
    AP_JWT_SECRET_PREVIOUS(
            Kind.secret(),
            "",
            "text",
            "AP_JWT_SECRET before it was changed: links in mail and addresses of files that it signed go on working;"
                    + " sessions end"),
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
            "connections to PostgreSQL; from six on two of them are kept for commits of runs"),
    AP_POSTGRES_IDLE_TIMEOUT_MS(
            Kind.integer(0, Integer.MAX_VALUE),
            "300000",
            "milliseconds",
            "an idle connection is closed after, at the latest after AP_POSTGRES_STATEMENT_SECONDS; 0: then"),
    AP_POSTGRES_PATIENCE_SECONDS(
            Kind.integer(0, 20),
            "2",
            "seconds",
            "the start of a run waits for a database that is away, before its caller is told to come again"),
    AP_POSTGRES_STATEMENT_SECONDS(
            Kind.integer(5, 3600),
            "60",
            "seconds",
            "a statement may take, and a transaction stand idle, before it is ended; a connection on which nothing"
                    + " comes back ends 5 seconds later"),
    AP_POSTGRES_START_PATIENCE_SECONDS(
            Kind.integer(0, 86_400),
            "600",
            "seconds",
            "a start waits for room on a full disk, or for a database that is away, before the process ends; 0: not at"
                    + " all"),
    AP_CLUSTER_MEMBERS(
            Kind.text(),
            "",
            "addresses",
            "nodes of the cluster, this one among them, as host:port between commas; empty: messages between nodes"
                    + " travel by PostgreSQL"),
    AP_CLUSTER_KUBERNETES_SERVICE(
            Kind.text(),
            "",
            "DNS name",
            "headless service whose addresses are the nodes of the cluster, instead of members"),
    AP_CLUSTER_HOST(
            Kind.text(),
            "",
            "address",
            "address of this node that other nodes of the cluster reach, and the only one that is listened on"),
    AP_CLUSTER_PORT(
            Kind.integer(1, 65534), "5701", "port", "port for other nodes of the cluster; the next one is taken too"),
    AP_CLUSTER_PUBLIC_PORT(
            Kind.integer(0, 65534),
            "0",
            "port",
            "port under which other nodes reach AP_CLUSTER_PORT, and under the next one its next, where something"
                    + " between them maps ports; 0: the same"),
    AP_CLUSTER_PASSWORD(
            Kind.secret(),
            "",
            "text",
            "at least 16 characters that all nodes of the cluster know, and sign messages with"),
    AP_NODE_ROLE(
            Kind.option("all", "api", "worker"),
            "all",
            "all, api or worker",
            "what this node is there for: calls, work that waits in the database, or both; a worker answers probes"
                    + " only"),
    AP_CLIENT_REAL_IP_HEADER(
            Kind.text(),
            "x-real-ip",
            "header name",
            "request header with the client's address, from a trusted proxy; with the default X-Forwarded-For and"
                    + " Forwarded are read, too"),
    AP_TRUSTED_PROXIES(
            Kind.blocks(),
            "127.0.0.0/8,::1",
            "IPs or CIDRs, or none",
            "proxies whose word about the client's address is taken; those of other hosts must be named"),
    AP_HTTP_CONNECTIONS_MAX(
            Kind.integer(0, 1_000_000),
            "0",
            "connections",
            "connections of clients at one time; 0: 10000, or fewer where the process may open few files"),
    AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX(
            Kind.integer(0, 1_000_000),
            "0",
            "connections",
            "connections of one client address that is no trusted proxy; 0: a quarter of all"),
    AP_HTTP_HEADER_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600), "30", "seconds", "a connection whose request has begun sends its headers within"),
    AP_HTTP_BODY_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600),
            "60",
            "seconds",
            "a body is sent, and an answer is read, within, and at the least rate after it"),
    AP_HTTP_RATE_MIN_KB(Kind.integer(1, 1024 * 1024), "32", "KB per second", "least rate of large bodies and answers"),
    AP_HTTP_BODY_MEMORY_MAX_MB(
            Kind.integer(0, 1024 * 1024),
            "0",
            "MB",
            "memory of bodies under way, beyond which a request is answered 429, and as much of answers not yet read,"
                    + " beyond which it is 503; 0: a quarter of the old generation of the heap"),
    AP_HTTP_BODY_DISK_MAX_MB(
            Kind.integer(1, 1024 * 1024),
            "1024",
            "MB",
            "disk of large webhook bodies that arrive, beyond which a call is answered 429"),
    AP_HTTP_UNKNOWN_BODY_MAX_KB(
            Kind.integer(16, 1024 * 1024),
            "1024",
            "KB",
            "largest API body of a caller that is not known; larger ones are read once it is"),
    AP_LIVE_UNKNOWN_MAX(
            Kind.integer(1, 1_000_000),
            "100",
            "sockets",
            "live sockets of an event loop whose clients are not yet known; beyond it the oldest of them is closed"),
    AP_LIVE_MESSAGE_MAX_MB(
            Kind.integer(1, 1024),
            "100",
            "MB",
            "largest message of a live socket whose client is known; AP_MAX_FILE_SIZE_MB and 4 MB where that is more"),
    AP_API_RATE_LIMIT_AUTHN_ENABLED(Kind.flag(), "true", "true or false", "limits sign-in requests per client address"),
    AP_API_RATE_LIMIT_AUTHN_MAX(
            Kind.integer(1, Integer.MAX_VALUE),
            "50",
            "requests",
            "sign-in requests per client address and window; beside them as many registrations of MCP clients"),
    AP_API_RATE_LIMIT_AUTHN_WINDOW(
            Kind.duration(), "1 minute", "duration", "window of the sign-in limit, for example 30 seconds"),
    AP_API_RATE_LIMIT_EMAIL_CODE_MAX(
            Kind.integer(1, Integer.MAX_VALUE), "5", "requests", "mailed codes per client address and window"),
    AP_API_RATE_LIMIT_CALLER_MAX(
            Kind.integer(0, Integer.MAX_VALUE),
            "0",
            "requests",
            "API requests of one user or key per window and node, beyond which they are answered 429; 0: no limit"),
    AP_API_RATE_LIMIT_ADDRESS_MAX(
            Kind.integer(0, Integer.MAX_VALUE),
            "0",
            "requests",
            "API requests of one client address per window and node, webhooks not counted; 0: no limit"),
    AP_API_RATE_LIMIT_WINDOW(Kind.duration(), "1 minute", "duration", "window of the limits of API requests"),
    AP_ALLOW_OPEN_SIGN_UP(Kind.flag(), "false", "true or false", "lets anybody sign up without an invitation"),
    AP_SCIM_DEFAULT_PROJECT_ROLE(
            Kind.option("Admin", "Editor", "Viewer"),
            "Editor",
            "Admin, Editor or Viewer",
            "role in a team project of those whom a directory puts there"),
    AP_SMTP_HOST(Kind.text(), "", "host name", "mail server; mail is sent when host and port are set"),
    AP_SMTP_PORT(
            Kind.integer(1, 65535),
            "",
            "port",
            "port of the mail server; 465 encrypts from the first byte, others when the server offers it"),
    AP_SMTP_USERNAME(
            Kind.text(),
            "",
            "name",
            "user of the mail server; empty, with the password, for a server that takes mail without login"),
    AP_SMTP_PASSWORD(Kind.secret(), "", "text", "password of the mail server"),
    AP_SMTP_SENDER_EMAIL(
            Kind.text(),
            "",
            "e-mail address",
            "sender of mail; empty: the user of the mail server, which must be an address then"),
    AP_SMTP_SENDER_NAME(Kind.text(), "", "name", "name of the sender; empty: the name of the platform"),
    AP_SMTP_TLS_REJECT_UNAUTHORIZED(
            Kind.flag(), "true", "true or false", "refuses a mail server whose certificate cannot be verified"),
    AP_GOOGLE_CLIENT_ID(Kind.text(), "", "text", "client at Google by which people sign in; needs the secret too"),
    AP_GOOGLE_CLIENT_SECRET(Kind.secret(), "", "text", "secret of the client at Google"),
    AP_GOOGLE_ISSUER_URL(Kind.url(), "https://accounts.google.com", "URL", "where Google's sign-in describes itself"),
    AP_TELEMETRY_ENABLED(
            Kind.flag(), "true", "true or false", "starting value of a platform's telemetry setting; nothing is sent"),
    AP_FLOW_TIMEOUT_SECONDS(Kind.integer(1, 86_400), "600", "seconds", "longest execution of one run"),
    AP_TRIGGER_TIMEOUT_SECONDS(Kind.integer(1, 3_600), "60", "seconds", "longest execution of a trigger"),
    AP_TRIGGER_HOOKS_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600), "180", "seconds", "longest enabling, disabling, renewal or test of a trigger"),
    AP_TRIGGER_DEFAULT_POLL_INTERVAL(
            Kind.integer(1, 59), "5", "minutes", "interval of a polling trigger that names no schedule"),
    AP_SCHEDULE_MISFIRE_POLICY(
            Kind.option("skip", "once", "all"),
            "once",
            "skip, once or all",
            "runs for the times of a schedule that passed while the server was down"),
    AP_SCHEDULE_MISFIRE_MAX(
            Kind.integer(1, 10_000), "100", "runs", "most runs for missed times of one schedule, with the policy all"),
    AP_APP_WEBHOOK_SECRETS(
            Kind.secret(),
            "",
            "JSON",
            "secrets by which apps sign their events: {\"slack\": {\"webhookSecret\": \"...\"}}"),
    AP_APP_EVENT_SIGNATURE_AGE_SECONDS(
            Kind.integer(1, 86_400), "300", "seconds", "largest age of an app's signature that carries a time"),
    AP_MICROSOFT_LOGIN_URL(
            Kind.url(),
            "https://login.microsoftonline.com",
            "URL",
            "token endpoints of Microsoft; national clouds have others"),
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
    AP_MICROSOFT_BOT_ISSUER(Kind.url(), "https://api.botframework.com", "URL", "who signs the requests to bots"),
    AP_MICROSOFT_BOT_KEYS_MINUTES(
            Kind.integer(1, 10_080), "1440", "minutes", "how long the keys of the Bot Framework are believed"),
    AP_EVENT_DESTINATION_TIMEOUT_SECONDS(
            Kind.integer(1, 300), "10", "seconds", "longest delivery of an event to a destination"),
    AP_WEBHOOK_TIMEOUT_SECONDS(Kind.integer(1, 900), "30", "seconds", "longest wait of a synchronous webhook call"),
    AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB(Kind.integer(1, 1024), "25", "MB", "largest payload of a webhook call"),
    AP_WEBHOOK_RAW_BODY_MAX_MB(
            Kind.integer(0, 1024),
            "4",
            "MB",
            "largest JSON body of a webhook call whose text is kept beside its value"),
    AP_IDEMPOTENCY_KEY_HOURS(
            Kind.integer(1, 24 * 365),
            "24",
            "hours",
            "a repeated start of a run, or a repeated API request, under the same key is answered as the first for so"
                    + " long"),
    AP_IDEMPOTENCY_KEYS_PER_CALLER_MAX(
            Kind.integer(10, 1_000_000),
            "2000",
            "keys",
            "keys of API requests that are remembered for one user or API key; beyond it the oldest are forgotten"),
    AP_IDEMPOTENCY_ANSWERS_PER_CALLER_MAX_MB(
            Kind.integer(1, 1024),
            "16",
            "MB",
            "answers, compressed, that are remembered for one user or API key; beyond it the oldest are forgotten, and"
                    + " one answer takes at most a quarter"),
    AP_WEBHOOK_BACKLOG_MAX(
            Kind.integer(1, Integer.MAX_VALUE),
            "20000",
            "runs",
            "accepted runs in memory that have not ended; beyond it, and for a project with more than four times what"
                    + " is left, a webhook call is answered 429"),
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
            "a run is taken up again so often after servers that ended at the same step of it; then it is set aside"),
    AP_MAX_FLOW_RUN_LOG_SIZE_MB(
            Kind.integer(1, 1024),
            "50",
            "MB",
            "inputs and outputs of one run; beyond it the run ends LOG_SIZE_EXCEEDED"),
    AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB(
            Kind.integer(1, 1024 * 1024), "2", "KB", "larger step inputs are shortened in the log"),
    AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB(
            Kind.integer(1, 1024 * 1024),
            "32",
            "KB",
            "larger outputs of steps are kept apart from the log of their run"),
    AP_SANDBOX_MEMORY_LIMIT(
            Kind.integer(16 * 1024, Integer.MAX_VALUE),
            "262144",
            "KB",
            "memory that one call of user code or of an npm piece may allocate"),
    AP_WORKER_CONCURRENCY(
            Kind.integer(1, 256),
            "5",
            "calls",
            "calls of user code, and processes of npm pieces, that run at once; fewer where the machine has too little"
                    + " memory for them"),
    AP_DEFAULT_CONCURRENT_JOBS_LIMIT(
            Kind.integer(1, Integer.MAX_VALUE),
            "5",
            "runs",
            "runs of a project without its own limit that execute at once on a node; the others wait in line"),
    AP_PROJECT_RATE_LIMITER_ENABLED(
            Kind.flag(), "true", "true or false", "limits how many runs of a project execute at once"),
    AP_TEAM_PROJECTS_MAX(
            Kind.integer(1, 1_000_000),
            "10000",
            "projects",
            "team projects of a platform, those of embedding and of directories included; beyond it none is created"),
    AP_PROJECT_ROWS_MAX(
            Kind.integer(1, 1_000_000),
            "10000",
            "rows",
            "flows, folders, tables, variables, agents and own connections of a project, of each kind; beyond it none"
                    + " is created"),
    AP_ALERT_RECEIVERS_MAX(
            Kind.integer(1, 10_000),
            "100",
            "receivers",
            "receivers of the alerts of a project, who are all mailed when a flow fails"),
    AP_EVENT_DESTINATIONS_MAX(
            Kind.integer(1, 10_000),
            "100",
            "destinations",
            "event destinations of a platform, each of which is called for every event that it names"),
    AP_MAX_FILE_SIZE_MB(Kind.integer(1, 1024), "25", "MB", "largest file of an action or trigger"),
    AP_FILE_STORAGE_LOCATION(
            Kind.option("DB", "S3"),
            "DB",
            "DB or S3",
            "where files of actions and triggers, and large outputs, are kept"),
    AP_S3_ENDPOINT(Kind.url(), "", "URL", "S3-compatible storage; empty: Amazon's in the region"),
    AP_S3_BUCKET(Kind.text(), "", "name", "bucket that holds the files"),
    AP_S3_REGION(Kind.text(), "", "name", "region of the bucket"),
    AP_S3_ACCESS_KEY_ID(Kind.text(), "", "text", "access key of the bucket"),
    AP_S3_SECRET_ACCESS_KEY(Kind.secret(), "", "text", "secret of the access key"),
    AP_S3_USE_SIGNED_URLS(
            Kind.flag(), "false", "true or false", "clients read and write files of the storage by themselves"),
    AP_S3_USE_IRSA(Kind.flag(), "false", "true or false", "a role of the host opens the bucket instead of a key"),
    AWS_ROLE_ARN(Kind.text(), "", "ARN", "the role that opens the bucket; Kubernetes sets it"),
    AWS_WEB_IDENTITY_TOKEN_FILE(
            Kind.text(), "", "path", "file of the token for which the role is given; Kubernetes sets it"),
    AWS_ENDPOINT_URL_STS(
            Kind.url(),
            "",
            "URL",
            "what gives the role, allowed in AP_SSRF_ALLOW_LIST where it is private; empty: Amazon's in the region"),
    AP_MAX_STORE_ENTRY_VALUE_SIZE_KB(Kind.integer(1, 1024 * 1024), "512", "KB", "largest value in a store"),
    AP_MAX_RECORDS_PER_TABLE(Kind.integer(1, 1_000_000), "10000", "records", "records that one table may have"),
    AP_MAX_FIELDS_PER_TABLE(Kind.integer(1, 1_000), "100", "fields", "fields that one table may have"),
    AP_PAUSED_FLOW_TIMEOUT_DAYS(
            Kind.integer(1, 3650), "30", "days", "longest pause of a run; no longer than its data is kept"),
    AP_EXECUTION_DATA_RETENTION_DAYS(
            Kind.integer(1, 3650), "30", "days", "runs, their data and audit events are kept for"),
    AP_BACKUP_AT(
            Kind.text(),
            "",
            "times of the day in UTC",
            "a backup is taken at, for example 03:00 or 00:00,12:00; empty: none is"),
    AP_BACKUP_TARGET(
            Kind.text(),
            "",
            "folder or s3://BUCKET/PREFIX",
            "where backups go, into a bucket by the endpoint, region and key of AP_S3_; empty: the folder backups in"
                    + " AP_DATA_DIR"),
    AP_BACKUP_KEY_FILE(
            Kind.text(),
            "",
            "path",
            "file of 64 hexadecimal characters that backups are encrypted with; empty: they are not"),
    AP_BACKUP_KEEP(Kind.integer(0, 10_000), "7", "backups", "so many of the newest backups stay; 0: any number"),
    AP_BACKUP_KEEP_DAYS(Kind.integer(0, 3650), "0", "days", "backups stay so long, the newest always; 0: any time"),
    AP_BACKUP_BEFORE_MIGRATION(
            Kind.flag(),
            "true",
            "true or false",
            "a start that brings the schema up to a newer release takes a backup first, into the folder of"
                    + " AP_BACKUP_TARGET, or the folder backups in AP_DATA_DIR where that is a bucket"),
    AP_BACKUP_WAL(
            Kind.flag(),
            "false",
            "true or false",
            "the write-ahead log of the embedded database is kept beside the backups, so that restore --at brings back"
                    + " any moment"),
    AP_ENABLE_FLOW_ON_PUBLISH(Kind.flag(), "true", "true or false", "publishing a flow also enables it"),
    AP_ENFORCE_CONNECTION_PIECE_BINDING(
            Kind.flag(),
            "false",
            "true or false",
            "a connection is given to steps and triggers of its own piece only, not to code, loops or routers"),
    AP_PREWARM_CACHE_ON_STARTUP(
            Kind.flag(),
            "false",
            "true or false",
            "after the start, gets ready for the 500 enabled flows that changed last, instead of at the first run of"
                    + " each"),
    AP_SHUTDOWN_SECONDS(
            Kind.integer(2, 3600),
            "8",
            "seconds",
            "a stop may take in all, from the signal to the end of the process; what has not ended by then is carried"
                    + " on by the next start"),
    AP_SHUTDOWN_DRAIN_SECONDS(
            Kind.integer(0, 300),
            "0",
            "seconds",
            "before a stop the server goes on serving while /health/ready says that it stops; they come before"
                    + " AP_SHUTDOWN_SECONDS"),
    AP_EVENT_LOOPS(
            Kind.integer(0, 256),
            "0",
            "event loops",
            "event loops that take webhooks and execute runs; 0: one for two processors"),
    AP_NODE_PATH(Kind.text(), "", "path", "Node.js executable that runs npm pieces; empty: searched on the PATH"),
    AP_NPM_REGISTRY_URL(
            Kind.url(), "", "URL", "registry of npm pieces; empty: the one that ~/.npmrc names, else npmjs.org"),
    AP_CODE_DEPENDENCIES(
            Kind.option("off", "allow-list", "on"),
            "on",
            "off, allow-list or on",
            "npm packages of code steps: none, those of AP_CODE_DEPENDENCIES_ALLOW_LIST, or any of the registry"),
    AP_CODE_DEPENDENCIES_ALLOW_LIST(
            Kind.text(), "", "comma-separated names", "npm packages that code steps may have when a list decides"),
    AP_CODE_PROGRAM_MAX_MB(Kind.integer(1, 16), "8", "MB", "largest program of a code step, its npm packages inside"),
    AP_CODE_SCRATCH_MAX_MB(
            Kind.integer(1, 4_096),
            "64",
            "MB",
            "files that the code of a project may have in its temporary folder at a time, those without a name"
                    + " included"),
    AP_PIECE_SCRATCH_MAX_MB(
            Kind.integer(1, 1024 * 1024),
            "512",
            "MB",
            "files that a process of npm pieces may have in its temporary folder at a time, those without a name"
                    + " included"),
    AP_CODE_OPEN_FILES_MAX(
            Kind.integer(64, 1024 * 1024),
            "512",
            "files",
            "files and connections that a process of code in Node.js or Python, or of npm pieces, may have open"),
    AP_CODE_THREADS_MAX(
            Kind.integer(16, 65_536),
            "128",
            "threads",
            "threads that a process of code in Node.js or Python, or of npm pieces, may have; one that has more is"
                    + " ended"),
    AP_CODE_PROCESSES_BEYOND_MAX(
            Kind.integer(2, 256),
            "16",
            "processes",
            "processes of each kind beyond AP_WORKER_CONCURRENCY, for projects that have none while others keep them"
                    + " busy; fewer, but two, where the machine has too little memory for them"),
    AP_CODE_BACKOFF_MAX_SECONDS(
            Kind.integer(0, 300),
            "2",
            "seconds",
            "longest wait of a program of a code step whose processes had to be ended, before its next call begins:"
                    + " none after the first, then a quarter of a second, then twice as long each time; 0: none at all"),
    AP_CODE_BACKOFF_RESET_SECONDS(
            Kind.integer(1, 86_400),
            "60",
            "seconds",
            "after which it is forgotten that processes of a program of a code step had to be ended, and that its"
                    + " calls failed"),
    AP_CODE_FAILURES_PER_SECOND(
            Kind.integer(0, 100_000),
            "5",
            "calls",
            "calls of a program in Node.js or Python that begin in a second, after twenty that failed one after the"
                    + " other; each waits a second at most; 0: as many as there are"),
    AP_CODE_PROCESSORS_LEFT(
            Kind.integer(0, 1_024),
            "1",
            "processors",
            "processors that code steps leave to everybody else: calls that have used 40 ms of processor time, and"
                    + " processes until a call of theirs has ended well; code keeps one in any case; 0: none"),
    AP_CODE_PYTHON(
            Kind.flag(),
            "true",
            "true or false",
            "whether code steps may be written in Python; only where the kernel fences their processes in"),
    AP_PYTHON_PATH(
            Kind.text(), "", "path", "Python executable; empty: /usr/bin/python3, or the first python3 on the PATH"),
    AP_NODE_NATIVE_PACKAGES(
            Kind.text(),
            "",
            "names, comma-separated",
            "npm pieces, and npm packages that code steps list, which may load native code, on every platform or, as"
                    + " platformId:name, on one; their processes go without the permission model of Node.js"),
    AP_NODE_REQUIRE_FENCE(
            Kind.flag(),
            "false",
            "true or false",
            "whether npm pieces, their installation and code steps in Node.js are refused on a host whose kernel does"
                    + " not keep their processes from making connections of their own"),
    AP_PIECE_PROCESS_KEPT_MB(
            Kind.integer(64, 1024 * 1024),
            "256",
            "MB",
            "memory that a process of npm pieces may hold after a call; one that holds more is replaced"),
    AP_PIECES_SYNC_MODE(
            Kind.option("OFFICIAL_AUTO", "NONE"),
            "OFFICIAL_AUTO",
            "OFFICIAL_AUTO or NONE",
            "whether an official piece that a flow pins is installed from the registry when it is missing"),
    AP_PIECES_SYNC_URL(
            Kind.url(),
            "",
            "URL",
            "address of a list of published pieces that takes the place of the one that came with the server, in the"
                    + " format of GET /v1/pieces; empty: none; read with AP_PIECES_SYNC_MODE=OFFICIAL_AUTO"),
    AP_PIECES_SYNC_INTERVAL_MINUTES(
            Kind.integer(5, 10_080), "60", "minutes", "how often the list of published pieces is asked for"),
    AP_PIECES_SYNC_MAX_MB(
            Kind.integer(1, 64), "16", "MB", "largest list of published pieces, counted after decompression"),
    AP_PIECE_LOGO_MAX_KB(Kind.integer(1, 4_096), "256", "KB", "largest logo of a piece that is fetched and shown"),
    AP_PIECE_LOGO_CACHE_MB(Kind.integer(1, 1_024), "8", "MB", "memory for logos of pieces that were fetched"),
    AP_GIT_SSH_PORT(Kind.integer(1, 65535), "22", "port", "port that git servers listen on"),
    AP_GIT_TIMEOUT_SECONDS(
            Kind.integer(1, 3_600), "60", "seconds", "longest push to or pull from the git repository of a project"),
    AP_GIT_REPOSITORY_SIZE_MB(
            Kind.integer(1, 1024),
            "50",
            "MB",
            "most that a git server may send or have unpacked at once, and that the files of a project may hold"),
    AP_MCP_ALLOWED_ORIGINS(
            Kind.text(),
            "",
            "origins, comma-separated",
            "pages that may call MCP servers besides those of this server and of localhost; * for any"),
    AP_MCP_REFRESH_GRACE_SECONDS(
            Kind.integer(0, 60),
            "10",
            "seconds",
            "period in which a public MCP client that repeats a refresh gets the same new token; after it the"
                    + " repetition counts as theft and ends the grant; 0: at once"),
    AP_AGENTS_ENABLED(Kind.flag(), "true", "true or false", "whether people keep agents that flows run"),
    AP_AGENT_CONCURRENCY(Kind.integer(1, 10_000), "100", "runs", "agent runs that a node works on at once"),
    AP_AI_CREDITS_API_KEY(
            Kind.secret(), "", "text", "key at OpenRouter that projects use as the platform's AI credits; empty: none"),
    AP_AI_CREDITS_URL(
            Kind.url(),
            "https://openrouter.ai/api/v1",
            "URL",
            "where the platform's AI credits are used: OpenRouter, or a gateway that speaks as it does"),
    AP_MAX_KNOWLEDGE_BASE_FILES(
            Kind.integer(1, 100_000), "1000", "files", "documents that the knowledge base of a project may have"),
    AP_MAX_KNOWLEDGE_BASE_CHUNKS(
            Kind.integer(1, 1_000_000),
            "20000",
            "chunks of 2000 characters",
            "texts that the knowledge base of a project may have; a search compares with each of those it is about"),
    AP_AI_USAGE_RETENTION_DAYS(
            Kind.integer(1, 3_650), "400", "days", "how long it is kept what projects have used of AI models"),
    AP_ALLOWED_EMBED_ORIGINS(
            Kind.text(), "", "comma-separated origins", "origins whose pages may embed every platform's pages"),
    AP_SSRF_ALLOW_LIST(Kind.text(), "", "IPs or CIDRs", "private addresses that outbound calls may reach"),
    AP_OUTBOUND_CONNECTIONS_PER_HOST_MAX(
            Kind.integer(1, 60_000), "256", "connections", "connections of outbound calls to one address"),
    AP_OUTBOUND_WAITING_PER_HOST_MAX(
            Kind.integer(0, 1_000_000),
            "10000",
            "calls",
            "outbound calls that wait for one of them, as long as each has time; further ones fail"),
    AP_LOG_LEVEL(Kind.option("trace", "debug", "info", "warn", "error"), "info", "level", "least level that is logged"),
    AP_LOG_FORMAT(
            Kind.option("text", "json"),
            "text",
            "text or json",
            "how lines of the log look: for people, or for programs"),
    AP_LOG_SAMPLE_RATE_INFO(
            Kind.integer(0, 100), "100", "percent", "share of request lines of level info that is kept"),
    AP_LOG_KEEP_SLOW_MS(
            Kind.integer(0, Integer.MAX_VALUE), "2000", "milliseconds", "slower requests are always logged"),
    AP_LOG_SAMPLE_RATE_RUNS(
            Kind.integer(0, 100),
            "10",
            "percent",
            "share of ended runs that did not fail of which a line is logged; of those that failed there always is"
                    + " one"),
    AP_METRICS_ENABLED(
            Kind.flag(),
            "true",
            "true or false",
            "whether the server counts what it does; false: it counts nothing, and /metrics is not found"),
    AP_METRICS_PORT(
            Kind.integer(0, 65535),
            "0",
            "port",
            "port of /metrics, /health/live and /health/ready, which answers from the first moment of the start; 0:"
                    + " none"),
    AP_METRICS_TOKEN(
            Kind.secret(),
            "",
            "text",
            "bearer token that /metrics asks for; without AP_METRICS_PORT it is what puts /metrics on AP_PORT"),
    AP_HEALTH_DISK_FREE_MIN_MB(
            Kind.integer(0, 1024 * 1024),
            "256",
            "MB",
            "free disk of AP_DATA_DIR below which /health/ready says that the server is not ready"),
    AP_OTEL_ENABLED(Kind.flag(), "false", "true or false", "sends the log to an OpenTelemetry collector as well"),
    AP_OTEL_TRACES_ENABLED(
            Kind.flag(),
            "false",
            "true or false",
            "sends traces of calls, runs, steps and outbound requests to an OpenTelemetry collector"),
    OTEL_EXPORTER_OTLP_ENDPOINT(
            Kind.url(),
            "http://localhost:4318",
            "URL",
            "OpenTelemetry collector that takes OTLP over HTTP; /v1/logs and /v1/traces are appended"),
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT(
            Kind.url(), "", "URL", "where the log goes, as it is; empty: to OTEL_EXPORTER_OTLP_ENDPOINT"),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT(
            Kind.url(), "", "URL", "where traces go, as it is; empty: to OTEL_EXPORTER_OTLP_ENDPOINT"),
    OTEL_EXPORTER_OTLP_HEADERS(
            Kind.secret(),
            "",
            "name=value between commas",
            "headers of each request to the collector, percent-encoded"),
    OTEL_EXPORTER_OTLP_TIMEOUT(
            Kind.integer(100, 600_000), "10000", "milliseconds", "a request to the collector may take"),
    OTEL_SERVICE_NAME(Kind.text(), "millrace", "name", "name of this server at the collector"),
    OTEL_RESOURCE_ATTRIBUTES(
            Kind.text(),
            "",
            "name=value between commas",
            "more that the collector is told of this server, percent-encoded"),
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
            "which traces are recorded; parentbased: a caller that is part of a trace decides"),
    OTEL_TRACES_SAMPLER_ARG(Kind.text(), "1", "share from 0 to 1", "share of traces that traceidratio records");

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

    /** Which texts a setting accepts. */
    public sealed interface Kind {
        /** Any text. */
        record Text() implements Kind {}

        /** Any text, never shown. */
        record Secret() implements Kind {}

        /** A whole number in a range. */
        record WholeNumber(int min, int max) implements Kind {}

        /** {@code true} or {@code false}. */
        record Flag() implements Kind {}

        /** One of some words. */
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
