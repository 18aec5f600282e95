package io.millrace.day;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.day.DayPlan.Part;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.TestFolder;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Collector;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** One day: each method is a part of it, in their order. The tool's exit status is 0 if every check passed. */
final class Day implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(1);
    private static final String METRICS_TOKEN = "scrape-me";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Pattern EXEMPLAR = Pattern.compile("\\w+_(bucket|total)(\\{.*|) .*");
    private static final long FILE_BYTES_MAX = 95_000_000;
    private static final Pattern METRIC = Pattern.compile("\\bmillrace_[a-z0-9_]+");

    private final DayPlan plan;
    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings = new DayFindings(System.out);
    private final DataDirectory directory = DataDirectory.create();
    private PublishedFlow flow;

    private Day(DayPlan plan, PackagedFile file, Path files) {
        this.plan = plan;
        this.file = file;
        this.files = files;
    }

    /** Expects the path of the packaged server and the options of {@link DayPlan}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var plan = DayPlan.parse(List.of(arguments));
        var files = Files.createTempDirectory("millrace-day-");
        // Installed as a single file, as in /usr/local/bin.
        var installed = Files.copy(plan.program(), files.resolve("millrace"));
        boolean isWell;
        try (var day = new Day(plan, new PackagedFile(installed), files)) {
            day.pass();
            day.findings.print();
            isWell = day.findings.areWell();
        } finally {
            TestFolder.remove(files);
        }
        System.exit(isWell ? 0 : 1);
    }

    private void pass() throws IOException, InterruptedException {
        var unit = Unit.read(Path.of("conf", "millrace.service"));
        if (plan.has(Part.SERVER)) {
            installed();
            try (var collector = Collector.start()) {
                watched(unit, collector);
            }
            var runs = underLoad(unit);
            restoredElsewhere(unit, runs);
        }
        if (plan.has(Part.CODE)) {
            new CodeDay(file, files, findings).pass(directory, unit.server());
        }
        if (plan.has(Part.LOG)) {
            new LogDay(file, files, findings).pass();
        }
        if (plan.has(Part.EDGE)) {
            new EdgeDay(file, files, findings).pass(unit.server());
        }
        if (plan.has(Part.SCRAPE)) {
            new ScrapeDay(file, files, findings).pass(unit.server());
        }
        if (plan.has(Part.TLS)) {
            new TlsDay(file, files, findings).pass(unit.server());
        }
        if (plan.has(Part.UPGRADE) && plan.earlier().isPresent()) {
            new UpgradeDay(new PackagedFile(plan.earlier().get()), file, files, findings).pass(unit.server());
        }
    }

    private void installed() throws IOException {
        var bytes = Files.size(file.path());
        findings.add("installed: one file of at most 95 MB", bytes <= FILE_BYTES_MAX, bytes + " bytes");
        var version = file.run(directory.path(), Map.of(), "version", "--json");
        findings.add("installed: version", version.isOk(), version.told("version", "schema"));
        var unknown = file.run(directory.path(), Map.of("AP_PROT", "1"), "config", "check");
        findings.add(
                "config check names what is no setting",
                unknown.out().contains("AP_PROT") || unknown.err().contains("AP_PROT"),
                "status " + unknown.status());
        var wrong = file.run(directory.path(), Map.of("AP_PORT", "many"), "config", "check");
        findings.add(
                "config check refuses a bad value with 78",
                wrong.status() == 78,
                wrong.err().strip());
    }

    /** Runs the command of the systemd unit; metrics are scraped, and a trace arrives at a collector. */
    private void watched(Unit unit, Collector collector) throws IOException, InterruptedException {
        var settings = new HashMap<String, String>();
        settings.put("AP_METRICS_TOKEN", METRICS_TOKEN);
        settings.put("AP_OTEL_TRACES_ENABLED", "true");
        settings.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
        var checked = file.run(directory.path(), settings, unit.before().toArray(String[]::new));
        findings.add("the unit's check before the start", checked.isOk(), "status " + checked.status());
        var began = System.nanoTime();
        try (var server = file.start(directory.path(), settings, unit.server())) {
            var port = server.port(START);
            findings.add("the unit's command serves", true, "after " + msSince(began) + " ms, first start");
            flow = PublishedFlow.create(server.api(START), demoFlow());
            var answer = call(port);
            findings.add("first flow answers", answer.contains("58.5"), answer);
            scraped(port);
            scrapedWithExemplars(port);
            var names = new TreeSet<String>();
            collector
                    .spansOf(TRACE, "webhook", "run")
                    .forEach(span -> names.add(span.path("name").asText()));
            findings.add("a trace is seen at the collector", names.contains("run"), names.toString());
            stopped(server);
        }
    }

    private String call(int port) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(webhook(port, "/sync"))
                .header("Content-Type", "application/json")
                .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"customer\": \"Ada\", \"quantity\": 3, \"price\": 19.5}")));
    }

    private URI webhook(int port, String variant) {
        return URI.create("http://127.0.0.1:" + port + "/api/v1/webhooks/" + flow.flowId() + variant);
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    /** Every metric that the dashboard draws exists. */
    private void scraped(int port) throws IOException, InterruptedException {
        var text = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Authorization", "Bearer " + METRICS_TOKEN));
        findings.add(
                "metrics are scraped",
                text.contains("millrace_runs_ended_total"),
                text.lines().count() + " lines");
        var drawn = METRIC.matcher(Files.readString(Path.of("conf", "grafana-dashboard.json")));
        var missing = new TreeSet<String>();
        var known = new TreeSet<String>();
        while (drawn.find()) {
            var name = drawn.group();
            (text.contains(name) ? known : missing).add(name);
        }
        findings.add(
                "the dashboard's metrics are there",
                missing.isEmpty(),
                known.size() + " names" + (missing.isEmpty() ? "" : ", missing " + missing));
    }

    /** A scraper that requests OpenMetrics rejects the whole page if an exemplar is in the wrong place. */
    private void scrapedWithExemplars(int port) throws IOException, InterruptedException {
        var page = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", "application/openmetrics-text; version=1.0.0,text/plain;q=0.5")
                .header("Authorization", "Bearer " + METRICS_TOKEN));
        var exemplars = page.lines().filter(line -> line.contains(" # {")).toList();
        var misplaced = exemplars.stream()
                .filter(line -> !EXEMPLAR.matcher(line).matches())
                .count();
        findings.add(
                "OpenMetrics with traces on",
                page.endsWith("# EOF\n") && !exemplars.isEmpty() && misplaced == 0,
                exemplars.size() + " exemplars, " + misplaced + " of them at neither bucket nor counter");
    }

    private void stopped(ServerProcess server) {
        var began = System.nanoTime();
        server.terminate();
        var status = server.exitStatus(STOP);
        findings.add(
                "SIGTERM stops it",
                status == 0 || status == 143,
                "status " + status + " after " + msSince(began) + " ms");
    }

    /**
     * Backed up and then killed while calls arrive; every accepted call has a run that ends. Returns the number of
     * runs.
     */
    private int underLoad(Unit unit) throws IOException, InterruptedException {
        PacedLoad load;
        int before;
        PackagedFile.Answer backup;
        long backupMs;
        try (var server = file.start(directory.path(), Map.of(), unit.server())) {
            load = PacedLoad.start(webhook(server.port(START), ""), plan.perSecond());
            Waiting.until(
                    "some seconds of load",
                    START,
                    () -> load.accepted() + load.refused() >= plan.perSecond() * plan.seconds());
            var rate = load.perSecond();
            findings.add(
                    "webhooks come in",
                    rate >= plan.perSecond() * 0.9 && load.refused() == 0,
                    "%.0f/s accepted of %d/s, %d refused".formatted(rate, plan.perSecond(), load.refused()));
            before = load.accepted();
            var began = System.nanoTime();
            backup = file.run(directory.path(), Map.of(), "backup", "--to", backupFile(1), "--json");
            backupMs = msSince(began);
            server.kill();
        }
        var accepted = load.finish();
        findings.add("backup under that load", backup.isOk(), backupMs + " ms, " + backup.told("rows", "bytes"));
        restoredUnderLoad(unit, before, accepted.size());
        try (var server = file.start(directory.path(), Map.of(), unit.server())) {
            server.port(START);
            Waiting.until(
                    "every run has ended",
                    START,
                    () -> directory.ask("select count(*) from run").equals("0"));
            var runs = Integer.parseInt(directory.ask("select count(*) from ended_run"));
            var failed = directory.ask("select count(*) from ended_run where status <> 'SUCCEEDED'");
            findings.add(
                    "kill -9: every accepted call has its run",
                    runs >= accepted.size() + 1 && failed.equals("0"),
                    accepted.size() + " accepted, " + runs + " runs, " + failed + " failed");
            var last = file.run(directory.path(), Map.of(), "backup", "--to", backupFile(2), "--json");
            findings.add("backup of the quiet server", last.isOk(), last.told("rows", "bytes"));
            stopped(server);
            return runs;
        }
    }

    private void restoredUnderLoad(Unit unit, int before, int after) {
        try (var second = DataDirectory.create()) {
            var restored = file.run(second.path(), Map.of(), "restore", "--from", backupFile(1), "--json");
            if (!restored.isOk()) {
                findings.add("what was backed up under load is restored", false, restored.told("rows", "tables"));
                return;
            }
            try (var server = file.start(second.path(), Map.of(), unit.server())) {
                server.port(START);
                Waiting.until(
                        "every run has ended",
                        START,
                        () -> second.ask("select count(*) from run").equals("0"));
                var runs = Integer.parseInt(second.ask("select count(*) from ended_run"));
                findings.add(
                        "what was backed up under load is restored",
                        runs >= before && runs <= after + 1 + PLACES,
                        runs + " runs; " + before + " were accepted before, " + after + " in the end");
            }
        }
    }

    /** Upper bound of calls in flight when the load was killed: accepted, but not acknowledged. */
    private static final int PLACES = 64;

    /** A second server has every run and flow, row by row. */
    private void restoredElsewhere(Unit unit, int runs) {
        try (var second = DataDirectory.create()) {
            var began = System.nanoTime();
            var restored = file.run(second.path(), Map.of(), "restore", "--from", backupFile(2), "--json");
            findings.add(
                    "restored into a second server",
                    restored.isOk(),
                    msSince(began) + " ms, " + restored.told("rows", "tables"));
            try (var one = file.start(directory.path(), Map.of(), unit.server());
                    var other = file.start(second.path(), Map.of(), unit.server())) {
                one.port(START);
                other.port(START);
                for (var table : List.of("ended_run", "flow", "flow_version", "project", "platform_user")) {
                    var columns = TableSums.columns(directory, table);
                    var expected = TableSums.of(directory, table, columns);
                    var found = TableSums.of(second, table, columns);
                    findings.add("every row of " + table + " is the same", found.equals(expected), found);
                }
                var same = flow.asked(other.api(START));
                var answer = same.api().get("/v1/flow-runs?projectId=" + same.projectId() + "&limit=1");
                findings.add(
                        "it tells of the runs over HTTP",
                        answer.status() == 200 && answer.body().path("data").size() == 1,
                        runs + " in all, the newest is " + answer.text("/data/0/status"));
            }
        }
    }

    private String backupFile(int number) {
        return files.resolve(number + ".backup").toString();
    }

    static long msSince(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }

    static JsonNode demoFlow() throws IOException {
        return Json.parse(Files.readAllBytes(Path.of("src", "main", "resources", "demo-flow.json")));
    }

    @Override
    public void close() {
        directory.close();
    }
}
