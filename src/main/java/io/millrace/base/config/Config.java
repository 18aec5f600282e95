package io.millrace.base.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All settings as checked values, grouped by module. */
public record Config(
        Network network,
        Storage storage,
        ProcessSettings process,
        PeopleSettings people,
        RunSettings runs,
        PackageSettings packages,
        ContentSettings content,
        ObservationSettings observation) {
    public record Network(HttpSettings http, Outbound outbound) {}

    public record Storage(DataSettings data, PostgresSettings postgres, ObjectStorageSettings files) {}

    /**
     * This process: its place in a cluster, its stop and its environment.
     *
     * @param unknownNames names that look like settings and are none; the start warns of them
     */
    public record ProcessSettings(
            Optional<ClusterSettings> cluster,
            NodeRole role,
            Shutdown shutdown,
            String environment,
            boolean telemetryEnabled,
            List<String> unknownNames) {}

    public record PeopleSettings(SignInSettings signIn, Optional<SmtpSettings> smtp) {}

    public record RunSettings(
            EngineSettings engine,
            TriggerSettings triggers,
            TeamsBotSettings teamsBot,
            WebhookSettings webhooks,
            AgentSettings agents,
            ActionRuns actionRuns) {}

    public record ContentSettings(Tables tables, RowBounds bounds, Imports imports, Git git, OpenApiLimits openApi) {}

    public record ObservationSettings(
            Logging logging, MonitoringSettings monitoring, OpenTelemetrySettings openTelemetry, Failures failures) {}

    public Config withPort(int port) {
        return new Config(
                new Network(network.http().withPort(port), network.outbound()),
                storage,
                process,
                people,
                runs,
                packages,
                content,
                observation);
    }

    /**
     * Time limits of a stop. Its parts follow each other, and the remaining time is for the database.
     *
     * @param whole from the end of the drain to the end of the process
     * @param drain time that the server continues to serve before that, while it reports that it is not ready
     */
    public record Shutdown(Duration whole, Duration drain) {
        public Duration requests() {
            return whole.dividedBy(4);
        }

        public Duration triggers() {
            return whole.dividedBy(8);
        }

        /** For runs to end; the others are handed over. */
        public Duration runs() {
            return whole.dividedBy(4);
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
     * Outbound calls.
     *
     * @param waitingPerHostMax calls that may wait for one of the connections
     */
    public record Outbound(String allowList, int connectionsPerHostMax, int waitingPerHostMax, Duration eventTimeout) {}

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
     * @param tableWebhooksMax of a table
     * @param storeEntriesMax of a project
     * @param mcpServersMax custom MCP servers of a project
     */
    public record RowBounds(
            int projectRowsMax,
            int alertReceiversMax,
            PlatformRows platform,
            int tableWebhooksMax,
            int storeEntriesMax,
            int mcpServersMax,
            FlowTestBounds flowTests) {
        public record FlowTestBounds(int max, int sizeKb) {}

        /**
         * Rows of a platform.
         *
         * @param invitationsMax not redeemed yet
         * @param templatesMax of each kind
         */
        public record PlatformRows(int eventDestinationsMax, int invitationsMax, int templatesMax) {}
    }

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

    public record Git(int sshPort, Duration timeout, long repositoryBytesMax) {}

    /**
     * Log lines.
     *
     * @param format text or json
     * @param runSampleRatePercent of the runs that did not fail
     */
    public record Logging(
            String level, String format, int sampleRatePercent, int keepSlowMs, int runSampleRatePercent) {
        public boolean isJson() {
            return format.equals("json");
        }
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
