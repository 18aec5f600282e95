package io.millrace.base.config;

import io.millrace.base.core.Cidr;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All settings as checked values, grouped by module.
 *
 * @param unknownNames names that look like settings and are none; the start warns of them
 */
public record Config(
        Http http,
        Data data,
        Postgres postgres,
        Optional<Cluster> cluster,
        NodeRole role,
        SignIn signIn,
        Optional<Smtp> smtp,
        Engine engine,
        Shutdown shutdown,
        Triggers triggers,
        TeamsBot teamsBot,
        Webhooks webhooks,
        Outbound outbound,
        Packages packages,
        Tables tables,
        RowBounds bounds,
        Imports imports,
        Git git,
        ObjectStorage files,
        Logging logging,
        Monitoring monitoring,
        OpenTelemetrySettings openTelemetry,
        String environment,
        boolean telemetryEnabled,
        Agents agents,
        ActionRuns actionRuns,
        OpenApiLimits openApi,
        Failures failures,
        List<String> unknownNames) {

    /** The same settings with another port to listen on. */
    public Config withPort(int port) {
        return new Config(
                http.withPort(port),
                data,
                postgres,
                cluster,
                role,
                signIn,
                smtp,
                engine,
                shutdown,
                triggers,
                teamsBot,
                webhooks,
                outbound,
                packages,
                tables,
                bounds,
                imports,
                git,
                files,
                logging,
                monitoring,
                openTelemetry,
                environment,
                telemetryEnabled,
                agents,
                actionRuns,
                openApi,
                failures,
                unknownNames);
    }

    /**
     * The HTTP server.
     *
     * @param frontendUrl public base URL without a slash at its end; empty when not set
     * @param webhookUrl base URL of responses written by authors of flows, without a slash at its end; empty when it has no
     *     separate one
     * @param bodyBytesMax largest body of an API request (contract admin-api 1.3)
     * @param mcpOrigins pages that may call MCP servers; {@code *} for any
     * @param embedOrigins pages that may embed those of every platform
     */
    public record Http(
            String host,
            int port,
            Optional<String> frontendUrl,
            Optional<String> webhookUrl,
            long bodyBytesMax,
            HttpLimits limits,
            Proxies proxies,
            List<String> mcpOrigins,
            List<String> embedOrigins) {
        public Http {
            mcpOrigins = List.copyOf(mcpOrigins);
            embedOrigins = List.copyOf(embedOrigins);
        }

        /** Address under which clients reach the server, without a slash at its end. */
        public String publicUrl() {
            return frontendUrl.orElseGet(() -> "http://localhost:" + port);
        }

        /** Address under which callers of flows reach the server: the separate one if set, else the public one. */
        public String callerUrl() {
            return webhookUrl.orElseGet(this::publicUrl);
        }

        Http withPort(int changed) {
            return new Http(
                    host, changed, frontendUrl, webhookUrl, bodyBytesMax, limits, proxies, mcpOrigins, embedOrigins);
        }
    }

    /**
     * Limits of clients on connections, memory and time.
     *
     * @param connectionsMax 0 for a number derived from the limits of the process
     * @param connectionsPerAddressMax 0 for a share of all
     * @param headerTimeout within which the headers of a request arrive
     * @param bodyTimeout within which a body arrives, or an answer is read, and at the least rate after it
     * @param bytesPerSecondMin the least rate
     * @param bodyMemoryBytesMax memory of bodies in transit
     * @param bodyDiskBytesMax disk space of large bodies of webhook calls while they arrive
     * @param unknownBodyBytesMax largest body of a caller that is not known
     * @param unknownSocketsMax live sockets of an event loop whose clients are not yet known
     * @param messageBytesMax largest message of a live socket
     * @param unreadPongsMax answers to pings that the client of a live socket may leave unread
     */
    public record HttpLimits(
            int connectionsMax,
            int connectionsPerAddressMax,
            Duration headerTimeout,
            Duration bodyTimeout,
            long bytesPerSecondMin,
            long bodyMemoryBytesMax,
            long bodyDiskBytesMax,
            long unknownBodyBytesMax,
            int unknownSocketsMax,
            int messageBytesMax,
            int unreadPongsMax,
            ApiRates rates) {}

    /**
     * Rate limits of the API within a window, at each node.
     *
     * @param perCallerMax requests of one user or key; 0 for any number
     * @param perAddressMax requests of one address; 0 for any number
     */
    public record ApiRates(int perCallerMax, int perAddressMax, Duration window) {}

    /**
     * Reverse proxies in front of this server (contract admin-api 1.13).
     *
     * @param addressHeader header in which they name the address of the client; none when empty
     * @param trusted addresses of trusted proxies
     */
    public record Proxies(String addressHeader, List<Cidr> trusted) {
        public Proxies {
            trusted = List.copyOf(trusted);
        }
    }

    /**
     * Backups that the server takes by itself.
     *
     * @param times of the day, in UTC
     * @param keep number of the newest that are kept; 0 for any number
     * @param keepDays days for which they are kept; 0 for no limit
     * @param archivesLog true if the write-ahead log of the embedded database is kept too, so that any moment can be restored
     */
    public record Backups(
            List<LocalTime> times,
            BackupPlace place,
            Optional<Path> keyFile,
            int keep,
            int keepDays,
            boolean archivesLog) {
        public Backups {
            times = List.copyOf(times);
        }
    }

    /** Destination of backups. */
    public sealed interface BackupPlace {
        record LocalFolder(Path path) implements BackupPlace {}

        /**
         * @param storage the endpoint, the region and the key
         * @param name of the bucket
         * @param prefix of the keys; empty, or ends in a slash
         */
        record InBucket(Bucket storage, String name, String prefix) implements BackupPlace {}
    }

    /** Destination of the backup before a migration: always a folder, for no bucket can be reached yet. */
    public record MigrationBackup(Path folder, Optional<Path> keyFile) {}

    /** Data on disk, and its retention. Secrets are empty when they are to be generated. */
    public record Data(
            Path directory,
            Optional<String> encryptionKey,
            List<String> knownEncryptionKeys,
            Optional<String> jwtSecret,
            Optional<String> previousJwtSecret,
            int retentionDays,
            Optional<Backups> backups,
            Optional<MigrationBackup> migrationBackup,
            Accounts accounts) {
        public Data {
            knownEncryptionKeys = List.copyOf(knownEncryptionKeys);
        }

        @Override
        public String toString() {
            return "Data[" + directory + "]";
        }
    }

    /**
     * Numbers of the users that child processes run as, where this server is root.
     *
     * @param processes number of users of which each process has another one
     * @param firstProcess number of the first of them
     */
    public record Accounts(int code, int piece, int database, int processes, int firstProcess) {
        /** True if a number is one of those that single processes have. */
        boolean isOfProcess(int user) {
            return user >= firstProcess && user - firstProcess < processes;
        }
    }

    /**
     * The database. Embedded when neither URL nor host is given.
     *
     * @param caCertificate PEM text, empty when the system's authorities are used
     * @param patience time that the start of a run waits for an unavailable database
     * @param statementTimeout time limit of a statement
     * @param startPatience time that the start of an embedded database waits for space on a full disk
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
            Duration patience,
            Duration statementTimeout,
            Duration startPatience) {
        public boolean isEmbedded() {
            return url.isEmpty() && host.isEmpty();
        }
    }

    /**
     * Other nodes, by a cluster engine.
     *
     * @param members addresses of nodes; none where a service names them
     * @param host address of this node
     * @param port of the engine; the event bus has the next one
     * @param publicPort under which other nodes reach that port, and the next one
     */
    public record Cluster(
            List<String> members,
            Optional<String> kubernetesService,
            String host,
            int port,
            int publicPort,
            String password) {
        public Cluster {
            members = List.copyOf(members);
        }

        @Override
        public String toString() {
            return "Cluster[" + host + ":" + port + "]";
        }
    }

    /**
     * Sign-up and sign-in.
     *
     * @param scimRole role in a project of users that a directory adds
     * @param mcpRefreshGrace period in which a repeated refresh of an MCP client gets the same token again
     */
    public record SignIn(
            boolean limited,
            int requestsMax,
            int codesMax,
            Duration window,
            boolean openSignUp,
            Optional<Google> google,
            String scimRole,
            Duration mcpRefreshGrace) {}

    /** This server as a client of Google, for sign-in. */
    public record Google(String issuer, String clientId, String clientSecret) {
        @Override
        public String toString() {
            return "Google[" + clientId + "]";
        }
    }

    /**
     * The mail server (contract admin-api 37.7).
     *
     * @param username empty, as the password is, for a server that takes mail without login
     * @param senderName empty when mail is sent in the platform's name
     * @param authorities trusted certificates; empty for those of the JDK
     */
    public record Smtp(
            String host,
            int port,
            String username,
            String password,
            String senderEmail,
            Optional<String> senderName,
            boolean rejectsUnauthorized,
            List<X509Certificate> authorities) {
        public Smtp {
            authorities = List.copyOf(authorities);
        }

        @Override
        public String toString() {
            return "Smtp[" + host + ":" + port + "]";
        }
    }

    /**
     * Execution of runs.
     *
     * @param logMegabytesMax the log limit as flags and messages state it
     * @param logBytesMax limit in force, a little less
     * @param prewarmed true if the server prepares its flows at the start, instead of at the first run of each
     * @param eventLoops event loops that take webhooks and execute runs
     * @param redecisionRunsMax runs that one re-decision reads
     * @param redecisionsMax concurrent re-decisions of a project on a node
     * @param purePrograms true if flows of pure steps run without an actor
     * @param approvals limits of approvals
     */
    public record Engine(
            Duration flowTimeout,
            Duration triggerTimeout,
            long logMegabytesMax,
            long logBytesMax,
            long inputTruncateBytes,
            long sliceBytesMin,
            long memoryBytesMax,
            int crashRecoveriesMax,
            long codeMemoryBytes,
            int codeConcurrency,
            boolean projectsLimited,
            int concurrentJobsLimit,
            int teamProjectsMax,
            long fileBytesMax,
            long storeValueBytesMax,
            Duration pauseMax,
            boolean enableOnPublish,
            boolean bindsConnections,
            boolean prewarmed,
            int eventLoops,
            int redecisionRunsMax,
            int redecisionsMax,
            boolean purePrograms,
            ApprovalLimits approvals) {}

    /**
     * Limits of an approval.
     *
     * @param approversMax named approvers, with those of the escalation
     * @param remindersMax reminder mails to an approver
     * @param dataBytesMax message, data and form
     */
    public record ApprovalLimits(int approversMax, int remindersMax, long dataBytesMax) {}

    /**
     * Time limits of a stop. Its parts follow each other, and the remaining time is for the database.
     *
     * @param whole from the end of the drain to the end of the process
     * @param drain time that the server continues to serve before that, while it reports that it is not ready
     */
    public record Shutdown(Duration whole, Duration drain) {
        /** Time for requests in progress to be answered. */
        public Duration requests() {
            return whole.dividedBy(4);
        }

        /** For triggers that are being worked on. */
        public Duration triggers() {
            return whole.dividedBy(8);
        }

        /** For runs to end; the others are handed over. */
        public Duration runs() {
            return whole.dividedBy(4);
        }
    }

    /**
     * Agents.
     *
     * @param saved true if users can save agents that flows run
     * @param atOnce concurrent runs of a node
     * @param creditsKey key of the platform's AI credits
     * @param creditsUrl URL of the service that spends them
     * @param knowledgeFilesMax documents in the knowledge base of a project
     * @param knowledgeChunksMax chunks of all these documents
     * @param usageKept retention of the usage of models
     * @param pricesFile prices of models; empty for the prices of this release
     * @param mcpToolsListedMax tools that an MCP server lists; beyond it a search stands in for the list
     */
    public record Agents(
            boolean saved,
            int atOnce,
            int conversationMessagesMax,
            Optional<String> creditsKey,
            String creditsUrl,
            int knowledgeFilesMax,
            int knowledgeChunksMax,
            Duration usageKept,
            Optional<Path> pricesFile,
            int mcpToolsListedMax) {
        @Override
        public String toString() {
            return "Agents[" + atOnce + " at once]";
        }
    }

    /**
     * Runs of single actions.
     *
     * @param atOnce concurrent runs of a node
     * @param waitingMax unfinished runs of a project
     */
    public record ActionRuns(int atOnce, int waitingMax) {}

    /**
     * Limits of OpenAPI documents that become pieces.
     *
     * @param bytesMax size of a document
     * @param operationsMax operations of a document, and actions of a piece
     * @param propertiesMax properties of an action
     */
    public record OpenApiLimits(int bytesMax, int operationsMax, int propertiesMax) {}

    /**
     * Triggers.
     *
     * @param misfirePolicy {@code skip}, {@code once} or {@code all}
     * @param appSecrets JSON text, or empty text for none
     * @param appEventAgeMax largest difference between the time of an app's signature and the server's clock
     */
    public record Triggers(
            Duration hooksTimeout,
            int pollMinutes,
            String misfirePolicy,
            int misfiresMax,
            String appSecrets,
            Duration appEventAgeMax) {}

    /**
     * Endpoints of Microsoft's services for bots.
     *
     * @param metadataUrl OpenID metadata of the Bot Framework
     * @param issuer of the tokens of requests to bots
     * @param keysKept time for which its keys are cached
     */
    public record TeamsBot(
            String loginUrl,
            String graphUrl,
            String serviceUrl,
            String metadataUrl,
            String issuer,
            Duration keysKept) {}

    /**
     * Webhook intake.
     *
     * @param rawBodyBytesMax largest JSON body whose text is kept in addition to its value
     * @param keys bounds of idempotency keys
     */
    public record Webhooks(
            Duration timeout, long payloadBytesMax, long rawBodyBytesMax, int backlogMax, IdempotencyKeys keys) {}

    /**
     * Idempotency keys.
     *
     * @param kept retention of a key
     * @param perCallerMax keys of API requests of one caller
     * @param answerBytesPerCallerMax bytes of answers of one caller
     */
    public record IdempotencyKeys(Duration kept, int perCallerMax, long answerBytesPerCallerMax) {}

    /**
     * Outbound calls.
     *
     * @param waitingPerHostMax calls that may wait for one of the connections
     */
    public record Outbound(String allowList, int connectionsPerHostMax, int waitingPerHostMax, Duration eventTimeout) {}

    /**
     * Pieces that are npm packages.
     *
     * @param node Node.js executable; empty to search the PATH
     * @param registry empty for the one that the package manager is set up for
     * @param keptBytesMax memory of a process without a call, beyond which it is replaced
     * @param ofCode limits of code steps
     * @param processes limits of processes of code and of pieces
     * @param codeBackoff backoff of code steps
     * @param python the other language of code steps
     * @param nativePackages names of pieces and of packages of code that may load native code, each with or without the
     *     prefix of a platform's id and a colon
     * @param requiresNetworkFence true if Node.js runs only where the kernel refuses connections to its processes
     * @param installsOnDemand true if official pieces that flows pin are installed when they are missing
     * @param feed source of a newer index of published pieces; empty to use only the bundled one
     * @param install limits of the package manager
     */
    public record Packages(
            Optional<Path> node,
            Optional<String> registry,
            long keptBytesMax,
            CodePackages ofCode,
            CodeProcesses processes,
            CodeBackoff codeBackoff,
            Python python,
            Set<String> nativePackages,
            boolean requiresNetworkFence,
            boolean installsOnDemand,
            Optional<Feed> feed,
            int logoBytesMax,
            long logoCacheBytesMax,
            PackageInstall install) {}

    /**
     * Limits of the package manager during one installation.
     *
     * @param memoryBytesMax its memory
     * @param fileBytesMax its files
     */
    public record PackageInstall(long memoryBytesMax, long fileBytesMax) {}

    /**
     * The Python of this host.
     *
     * @param isOn true if the operator enabled it
     * @param executable empty to look for it
     */
    public record Python(boolean isOn, Optional<Path> executable) {}

    /**
     * A remote index of published pieces.
     *
     * @param address of a list of pieces
     * @param interval interval between fetches
     * @param bytesMax largest list
     */
    public record Feed(String address, Duration interval, int bytesMax) {}

    /**
     * Npm packages of code steps.
     *
     * @param mode off, allow-list or on
     * @param programBytesMax largest program, including its packages
     * @param scratchBytesMax files of a process that runs code in Node.js
     */
    public record CodePackages(String mode, Set<String> allowed, long programBytesMax, long scratchBytesMax) {}

    /**
     * Limits of processes of code and of npm pieces.
     *
     * @param pieceScratchBytesMax files of a process of npm pieces
     * @param openFilesMax open files and connections of a process
     * @param outputFilesMax files in the output of a step
     * @param threadsMax threads of a process
     * @param beyondMax processes of a kind beyond the usual number
     */
    public record CodeProcesses(
            long pieceScratchBytesMax, int openFilesMax, int outputFilesMax, int threadsMax, int beyondMax) {}

    /**
     * Backoff of programs of code steps that end their processes, and reserved processors.
     *
     * @param pauseMax longest wait after a process had to be ended; zero: none
     * @param resetAfter time without a failure that resets the wait
     * @param failuresPerSecond calls of a program that always fails; zero: no limit
     * @param processorsLeft processors that busy code leaves to other work
     */
    public record CodeBackoff(Duration pauseMax, Duration resetAfter, int failuresPerSecond, int processorsLeft) {}

    /** Limits of one table. */
    public record Tables(int recordsMax, int fieldsMax) {}

    /**
     * Limits of one import of workflows.
     *
     * @param nodesMax nodes of one workflow
     */
    public record Imports(int workflowsMax, int nodesMax) {}

    /**
     * Rows that callers create.
     *
     * @param projectRowsMax flows, folders, tables, variables, agents, own connections and releases of a project, of each
     *     kind
     * @param alertReceiversMax of a project
     * @param eventDestinationsMax of a platform
     * @param invitationsMax of a platform, not redeemed yet
     * @param tableWebhooksMax of a table
     * @param storeEntriesMax of a project
     * @param mcpServersMax custom MCP servers of a project
     * @param flowTestsMax tests of a flow
     * @param flowTestSizeKb size of a test of a flow
     */
    public record RowBounds(
            int projectRowsMax,
            int alertReceiversMax,
            int eventDestinationsMax,
            int invitationsMax,
            int tableWebhooksMax,
            int storeEntriesMax,
            int mcpServersMax,
            int flowTestsMax,
            int flowTestSizeKb) {}

    /**
     * Failures of runs, and events of projects.
     *
     * @param issueArchive time without failures after which an issue is archived
     * @param logBytesMax longest log that a diagnosis reads
     * @param listenersMax event streams of projects per node
     * @param eventRetention of events of projects
     * @param limits values of the limits that end runs, by the name of their setting
     */
    public record Failures(
            int issuesPerFlowMax,
            Duration issueArchive,
            int logBytesMax,
            int listenersMax,
            Duration eventRetention,
            Map<String, String> limits) {
        public Failures {
            limits = Map.copyOf(limits);
        }
    }

    /** Git repositories of projects. */
    public record Git(int sshPort, Duration timeout, long repositoryBytesMax) {}

    /**
     * Log lines.
     *
     * @param format text or json
     * @param runSampleRatePercent of the runs that did not fail
     */
    public record Logging(
            String level, String format, int sampleRatePercent, int keepSlowMs, int runSampleRatePercent) {
        /** Returns true if lines of the log are JSON. */
        public boolean isJson() {
            return format.equals("json");
        }
    }

    /**
     * Endpoints for monitoring systems.
     *
     * @param isCounting true if metrics are collected
     * @param port separate port; 0 for none
     * @param connectionsMax connections to the separate port
     * @param token bearer token for reading metrics
     * @param diskFreeBytesMin free disk space that a ready server needs
     */
    public record Monitoring(
            boolean isCounting, int port, int connectionsMax, Optional<String> token, long diskFreeBytesMin) {
        @Override
        public String toString() {
            return "Monitoring[" + port + "]";
        }
    }

    /**
     * Storage of the bytes of files (contract admin-api 37.6).
     *
     * @param isWritten true if new files are written to the bucket
     * @param bucket empty when there is none
     */
    public record ObjectStorage(boolean isWritten, Optional<Bucket> bucket) {}

    /** A bucket of an S3-compatible storage. */
    public record Bucket(String endpoint, String name, String region, BucketAccess access, boolean signedUrls) {}

    /** Credentials for a bucket. */
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
         * @param tokenFile file with the identity token of the host
         * @param tokenService address of the service that grants the role
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
        return ConfigReader.read(new SettingTexts(environment, file));
    }
}
