package io.millrace.base.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the groups of {@link Config} from checked texts; a group with rules of its own reads itself. */
final class ConfigReader {
    private ConfigReader() {}

    static Config read(SettingTexts texts) {
        return new Config(
                new Config.Network(
                        HttpSettings.read(texts),
                        new Config.Outbound(
                                texts.text(Setting.AP_SSRF_ALLOW_LIST),
                                texts.integer(Setting.AP_OUTBOUND_CONNECTIONS_PER_HOST_MAX),
                                texts.integer(Setting.AP_OUTBOUND_WAITING_PER_HOST_MAX),
                                texts.seconds(Setting.AP_EVENT_DESTINATION_TIMEOUT_SECONDS))),
                new Config.Storage(
                        DataSettings.read(texts), PostgresSettings.read(texts), ObjectStorageSettings.read(texts)),
                new Config.ProcessSettings(
                        ClusterSettings.read(texts),
                        ClusterSettings.role(texts),
                        new Config.Shutdown(
                                texts.seconds(Setting.AP_SHUTDOWN_SECONDS),
                                texts.seconds(Setting.AP_SHUTDOWN_DRAIN_SECONDS)),
                        texts.text(Setting.AP_ENVIRONMENT),
                        texts.flag(Setting.AP_TELEMETRY_ENABLED),
                        List.copyOf(texts.unknown())),
                new Config.PeopleSettings(SignInSettings.read(texts), SmtpSettings.read(texts)),
                new Config.RunSettings(
                        EngineSettings.read(texts),
                        TriggerSettings.read(texts),
                        TeamsBotSettings.read(texts),
                        WebhookSettings.read(texts),
                        AgentSettings.read(texts),
                        new Config.ActionRuns(
                                texts.integer(Setting.AP_ACTION_RUN_CONCURRENCY),
                                texts.integer(Setting.AP_ACTION_RUNS_WAITING_MAX))),
                PackageSettings.read(texts),
                new Config.ContentSettings(
                        new Config.Tables(
                                texts.integer(Setting.AP_MAX_RECORDS_PER_TABLE),
                                texts.integer(Setting.AP_MAX_FIELDS_PER_TABLE)),
                        new Config.RowBounds(
                                texts.integer(Setting.AP_PROJECT_ROWS_MAX),
                                texts.integer(Setting.AP_ALERT_RECEIVERS_MAX),
                                new Config.RowBounds.PlatformRows(
                                        texts.integer(Setting.AP_EVENT_DESTINATIONS_MAX),
                                        texts.integer(Setting.AP_INVITATIONS_MAX),
                                        texts.integer(Setting.AP_TEMPLATES_MAX)),
                                texts.integer(Setting.AP_TABLE_WEBHOOKS_MAX),
                                texts.integer(Setting.AP_STORE_ENTRIES_MAX),
                                texts.integer(Setting.AP_MCP_SERVERS_MAX),
                                new Config.RowBounds.FlowTestBounds(
                                        texts.integer(Setting.AP_FLOW_TESTS_MAX),
                                        texts.integer(Setting.AP_FLOW_TEST_MAX_KB))),
                        new Config.Imports(
                                texts.integer(Setting.AP_IMPORT_WORKFLOWS_MAX),
                                texts.integer(Setting.AP_IMPORT_NODES_MAX)),
                        git(texts),
                        new Config.OpenApiLimits(
                                Math.toIntExact(texts.bytesOfKb(Setting.AP_OPENAPI_DOCUMENT_MAX_KB)),
                                texts.integer(Setting.AP_OPENAPI_OPERATIONS_MAX),
                                texts.integer(Setting.AP_OPENAPI_PROPERTIES_MAX))),
                new Config.ObservationSettings(
                        new Config.Logging(
                                texts.text(Setting.AP_LOG_LEVEL),
                                texts.text(Setting.AP_LOG_FORMAT),
                                texts.integer(Setting.AP_LOG_SAMPLE_RATE_INFO),
                                texts.integer(Setting.AP_LOG_KEEP_SLOW_MS),
                                texts.integer(Setting.AP_LOG_SAMPLE_RATE_RUNS)),
                        MonitoringSettings.read(texts),
                        OpenTelemetrySettings.read(texts),
                        new Config.Failures(
                                texts.integer(Setting.AP_ISSUES_PER_FLOW_MAX),
                                texts.days(Setting.AP_ISSUE_ARCHIVE_DAYS),
                                texts.integer(Setting.AP_DIAGNOSIS_LOG_MAX_MB) << 20,
                                texts.integer(Setting.AP_EVENT_LISTENERS_MAX),
                                texts.minutes(Setting.AP_EVENT_RETENTION_MINUTES),
                                limits(texts))));
    }

    private static Config.Git git(SettingTexts texts) {
        return new Config.Git(
                texts.integer(Setting.AP_GIT_SSH_PORT),
                texts.seconds(Setting.AP_GIT_TIMEOUT_SECONDS),
                texts.bytesOfMb(Setting.AP_GIT_REPOSITORY_SIZE_MB));
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
