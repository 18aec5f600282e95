package io.millrace.contract;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.support.PublishedFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dashboard, the alert rules and the page of metrics name metrics that a server under load exports. */
final class MonitoringFilesIT {
    private static final Path DASHBOARD = Path.of("conf", "grafana-dashboard.json");
    private static final Path ALERTS = Path.of("conf", "prometheus-alerts.yaml");
    private static final Path PAGE = Path.of("src", "site", "markdown", "metrics.md");

    private static final Pattern SERIES = Pattern.compile("^([a-z0-9_]+)(?:\\{(.*)\\})? \\S+$");
    private static final Pattern NAME_AND_LABELS =
            Pattern.compile("\\b((?:millrace|jvm|process|system|vertx|cache)_[a-z0-9_]+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!=|!~|=)\"");
    private static final Pattern LIBRARY = Pattern.compile("^\\| `([a-z_]+_)` \\|.*");

    /** Added by Prometheus. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private static TestServer server;
    private static PublishedFlow flow;

    /** Names of series with the names of their labels. */
    private static Map<String, Set<String>> told;

    @BeforeAll
    static void work() {
        server = TestServer.startInRealTime(Map.of());
        flow = PublishedFlow.create(
                server.anonymous(),
                webhook().returnJson("step_1", "{}").importOperation("Measured").path("request"));
        flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", json("{}"));
        Waiting.until(
                "the run is counted",
                () -> scraped()
                        .contains("millrace_runs_ended_total{environment=\"PRODUCTION\",status=\"SUCCEEDED\"} 1"));
        told = series(scraped());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void countsWebhookCallsRunsAndCommits() {
        assertThat(scraped())
                .contains(
                        "millrace_webhook_duration_seconds_count{outcome=\"2xx\",variant=\"SYNC\"} 1",
                        "millrace_webhook_duration_seconds_count{outcome=\"5xx\",variant=\"SYNC\"} 0",
                        "millrace_run_duration_seconds_count{status=\"SUCCEEDED\"} 1",
                        "millrace_trigger_failures_total 0",
                        "millrace_model_calls_unreadable_total{reason=\"malformed\"} 0",
                        "millrace_trigger_lag_seconds_count{timer=\"POLL\"} 0",
                        "millrace_code_workers{state=\"busy\"} ",
                        "millrace_code_calls_waiting 0",
                        "millrace_piece_duration_seconds_count{piece=\"@activepieces/piece-webhook\"} 1",
                        "millrace_node_processes{state=\"busy\"} 0",
                        "millrace_outbound_circuits_open 0",
                        "millrace_build{version=\"")
                .containsPattern("millrace_commit_writes_count [1-9]")
                .containsPattern("millrace_commit_duration_seconds_count [1-9]")
                .contains(
                        "millrace_outbound_calls_total{class=\"ai_provider\",outcome=\"timeout\"} 0",
                        "millrace_outbound_duration_seconds_count{class=\"flow\"} 0");
    }

    @Test
    void exportsEveryMeter_andNoneThatThePageDoesNotName() throws IOException {
        var meters =
                Stream.of(ServerMeter.values()).map(ServerMeter::publicName).collect(Collectors.toSet());
        var libraries = Files.readAllLines(PAGE).stream()
                .map(LIBRARY::matcher)
                .filter(row -> row.matches())
                .map(row -> row.group(1))
                .toList();
        var families = told.keySet().stream()
                .map(name -> name.replaceAll("_(?:total|bucket|sum|count)$", ""))
                .collect(Collectors.toSet());

        assertThat(families).containsAll(meters);
        assertThat(families)
                .allMatch(name -> meters.contains(name) || libraries.stream().anyMatch(name::startsWith));
        assertThat(told.size()).isLessThan(200);
    }

    @Test
    void dashboardUsesExportedMetricsOnly() throws IOException {
        var dashboard = Json.trusted(Files.readString(DASHBOARD));

        assertThat(dashboard.path("panels").size()).isGreaterThan(10);
        for (var panel : dashboard.path("panels")) {
            assertThat(panel.path("title").asText()).isNotEmpty();
            assertThat(panel.path("description").asText()).isNotEmpty();
            for (var target : panel.path("targets")) {
                assertTold(target.path("expr").asText());
            }
        }
        for (JsonNode variable : dashboard.path("templating").path("list")) {
            assertTold(variable.path("query").asText());
        }
    }

    @Test
    void tenAlertsUseExportedMetricsOnly() throws IOException {
        var lines = Files.readAllLines(ALERTS);
        var names = values(lines, "- alert: ");
        var expressions = values(lines, "expr: ");

        assertThat(names).hasSize(11).doesNotHaveDuplicates().allMatch(name -> name.matches("Millrace[A-Za-z]+"));
        assertThat(expressions).hasSize(11);
        expressions.forEach(MonitoringFilesIT::assertTold);
        for (var key : List.of("for: ", "severity: ", "summary: ", "description: ")) {
            assertThat(values(lines, key)).as(key).hasSize(11);
        }
    }

    private static List<String> values(List<String> lines, String key) {
        var values = new ArrayList<String>();
        for (var line : lines) {
            if (line.strip().startsWith(key)) {
                values.add(line.strip().substring(key.length()).replaceAll("^'|'$", ""));
            }
        }
        return values;
    }

    private static void assertTold(String expression) {
        var found = NAME_AND_LABELS.matcher(expression);
        while (found.find()) {
            assertThat(told).as(expression).containsKey(found.group(1));
            if (found.group(2) != null) {
                var labels = LABEL.matcher(found.group(2));
                while (labels.find()) {
                    if (!OF_PROMETHEUS.contains(labels.group(1))) {
                        assertThat(told.get(found.group(1))).as(expression).contains(labels.group(1));
                    }
                }
            }
        }
    }

    private static Map<String, Set<String>> series(String text) {
        var series = new TreeMap<String, Set<String>>();
        for (var line : text.split("\n", -1)) {
            var parts = SERIES.matcher(line);
            if (parts.matches()) {
                var labels = series.computeIfAbsent(parts.group(1), _ -> new TreeSet<>());
                if (parts.group(2) != null) {
                    LABEL.matcher(parts.group(2)).results().forEach(label -> labels.add(label.group(1)));
                }
            }
        }
        return series;
    }

    private static String scraped() {
        return flow.api().get("/v1/metrics").body().asText();
    }
}
