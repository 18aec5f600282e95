package io.millrace.day;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Collector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A Prometheus that scrapes the server with traces on, with the shipped alerts and the queries of the shipped
 * dashboard.
 */
final class ScrapeDay {
    private static final Duration START = Duration.ofMinutes(3);
    private static final String TOKEN = "scrape-me";
    private static final String PROGRAM = "prometheus";

    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings;

    ScrapeDay(PackagedFile file, Path files, DayFindings findings) {
        this.file = file;
        this.files = files;
        this.findings = findings;
    }

    void pass(List<String> words) throws IOException, InterruptedException {
        var program = Programs.find(PROGRAM);
        if (program.isEmpty()) {
            findings.add("Prometheus scrapes with traces on", true, "not looked at: there is no " + PROGRAM);
            return;
        }
        try (var directory = DataDirectory.create();
                var collector = Collector.start();
                var server = file.start(directory.path(), settings(collector), words)) {
            var flow = PublishedFlow.create(server.api(START), Day.demoFlow());
            var order = Json.object().put("customer", "Ada").put("quantity", 3).put("price", 19.5);
            var answer = flow.api()
                    .postText(
                            "/v1/webhooks/" + flow.flowId() + "/sync",
                            Json.text(order),
                            "traceparent",
                            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
            findings.add("a traced run before the scrape", answer.status() == 200, "status " + answer.status());
            scraped(program.get(), server.port(START));
        }
    }

    private static Map<String, String> settings(Collector collector) {
        return Map.of(
                "AP_METRICS_TOKEN",
                TOKEN,
                "AP_OTEL_TRACES_ENABLED",
                "true",
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                collector.url());
    }

    private void scraped(Path program, int serverPort) throws IOException, InterruptedException {
        var port = FreePort.find().orElseThrow();
        var folder = Files.createDirectories(files.resolve("prometheus"));
        var process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + configuration(folder, serverPort),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--enable-feature=exemplar-storage",
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try (var client = HttpClient.newHttpClient()) {
            var asked = new Asked(client, "http://127.0.0.1:" + port + "/api/v1/");
            Waiting.until("Prometheus has scraped within its timeout", START, asked::hasScraped);
            findings.add(
                    "Prometheus scrapes with traces on",
                    asked.scrapeOf("health").equals("up"),
                    asked.scrapeOf("health") + " " + asked.scrapeOf("lastError"));
            var series = asked.get("query?query=" + encoded("count({job=\"millrace\"})"));
            findings.add(
                    "Prometheus keeps the metrics",
                    series.at("/data/result/0/value/1").asInt() > 1000,
                    series.at("/data/result/0/value/1").asText() + " series");
            var exemplars = asked.get(
                    "query_exemplars?start=0&end=4000000000&query=" + encoded("millrace_run_duration_seconds_bucket"));
            findings.add(
                    "Prometheus keeps exemplars",
                    !exemplars.path("data").isEmpty(),
                    exemplars.at("/data/0/exemplars/0/labels").toString());
            alerts(asked);
            dashboard(asked);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static Path configuration(Path folder, int serverPort) throws IOException {
        return Files.writeString(folder.resolve("prometheus.yml"), """
            global:
              scrape_interval: 15s
              scrape_timeout: 15s
              evaluation_interval: 1s
            rule_files: ['%s']
            scrape_configs:
              - job_name: millrace
                authorization: { credentials: %s }
                static_configs: [{ targets: ['127.0.0.1:%d'] }]
            """.formatted(
                        Path.of("conf", "prometheus-alerts.yaml").toAbsolutePath(), TOKEN, serverPort));
    }

    /** Each rule is evaluated without an error. */
    private void alerts(Asked asked) {
        Waiting.until(
                "the rules are evaluated",
                START,
                () -> asked.rules().stream()
                        .noneMatch(rule -> rule.path("health").asText().equals("unknown")));
        var wrong = new TreeSet<String>();
        for (var rule : asked.rules()) {
            if (!rule.path("health").asText().equals("ok")) {
                wrong.add(rule.path("name").asText() + ": "
                        + rule.path("lastError").asText());
            }
        }
        var count = asked.rules().size();
        findings.add("the shipped alerts are evaluated", count > 0 && wrong.isEmpty(), count + " rules " + wrong);
    }

    /** Prometheus accepts each query of the dashboard; variables are replaced as Grafana does. */
    private void dashboard(Asked asked) throws IOException {
        var queries = new ArrayList<String>();
        Json.parse(Files.readAllBytes(Path.of("conf", "grafana-dashboard.json")))
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> queries.add(target.path("expr").asText())));
        var wrong = new TreeSet<String>();
        for (var query : queries) {
            var plain = query.replace("$__rate_interval", "1m").replaceAll("\\$\\{?[a-z]+}?", ".*");
            if (!asked.get("query?query=" + encoded(plain))
                    .path("status")
                    .asText()
                    .equals("success")) {
                wrong.add(query);
            }
        }
        findings.add(
                "the dashboard's queries are answered",
                !queries.isEmpty() && wrong.isEmpty(),
                queries.size() + " queries " + wrong);
    }

    private static String encoded(String query) {
        return URLEncoder.encode(query, StandardCharsets.UTF_8);
    }

    /** The HTTP API of Prometheus. */
    private record Asked(HttpClient client, String base) {
        JsonNode get(String path) {
            var request = HttpRequest.newBuilder(URI.create(base + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            try {
                var answer = client.send(request, BodyHandlers.ofString());
                // 503 until it has started.
                return answer.statusCode() == 503 ? Json.object() : Json.parse(answer.body());
            } catch (ConnectException notYet) {
                return Json.object();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", interrupted);
            }
        }

        /** Field of the only target. */
        String scrapeOf(String field) {
            return get("targets").at("/data/activeTargets/0/" + field).asText();
        }

        /** The first scrape has an outcome; on a busy machine some scrapes may time out. */
        boolean hasScraped() {
            var health = scrapeOf("health");
            return health.equals("up")
                    || health.equals("down") && !scrapeOf("lastError").contains("deadline exceeded");
        }

        List<JsonNode> rules() {
            var rules = new ArrayList<JsonNode>();
            get("rules").at("/data/groups").forEach(group -> group.path("rules").forEach(rules::add));
            return rules;
        }
    }
}
