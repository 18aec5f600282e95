package io.millrace.bench;

import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Cost of a million paused runs to other callers, and to an idle server. Half of them wait for three weeks, the others
 * for a signal.
 */
final class PausedMillion {
    private static final int EACH = 500_000;
    private static final int WAIT_SECONDS = 21 * 24 * 3_600;
    private static final String SIGNALLED = "s";

    private static final int STARTS = 3;
    private static final int ROUNDS = 3;
    private static final int CLAIMS = 200;
    private static final int CLAIMED_MAX = 500;
    private static final int RESUMES = 20;
    private static final int CONNECTIONS = 16;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final Duration SHORT_ROUND = Duration.ofSeconds(1);

    /** Longer than two rounds of all periodic searches of a node. */
    private static final Duration IDLE = Duration.ofSeconds(25);

    /** Number of rows read from both tables since their creation, with or without an index. */
    private static final String ROWS_READ = """
            select (sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)))::bigint
              from pg_stat_user_tables where relname in ('run', 'waitpoint')
            """;

    private final Path program;
    private final JsonNode flow;
    private final DataDirectory directory;
    private final PausedCopies copies;
    private final LoadGenerator load;
    private final BenchReport report;

    private PausedMillion(
            Path program, JsonNode flow, DataDirectory directory, LoadGenerator load, BenchReport report) {
        this.program = program;
        this.flow = flow;
        this.directory = directory;
        this.copies = new PausedCopies(directory);
        this.load = load;
        this.report = report;
    }

    /** The called flow, and the flows that pause for a time and for a signal. */
    private record Published(PublishedFlow called, PublishedFlow delayed, PublishedFlow signalled) {
        Published at(ServerProcess server) {
            var again = called.at(server.api(Backlog.DEADLINE));
            return new Published(again, delayed.asked(again.api()), signalled.asked(again.api()));
        }
    }

    /** Times in ms, except for the start. */
    private record Found(
            double startSeconds,
            double claim,
            LoadFigures call,
            double resume,
            double listOfRunning,
            double listOfFailed,
            double gauges,
            Idle idle) {}

    /**
     * Activity of an idle server.
     *
     * @param usedPerSecond processor time of all processes in ms
     * @param rowsRead rows of runs and their waits that were read in {@link #IDLE}
     */
    private record Idle(double usedPerSecond, long rowsRead) {}

    static void measure(Path program, JsonNode flow, BenchReport report) {
        try (var directory = DataDirectory.create();
                var load = new LoadGenerator()) {
            new PausedMillion(program, flow, directory, load, report).measure();
        }
    }

    private void measure() {
        Published flows;
        try (var server = start()) {
            flows = publish(server);
            Backlog.stop(server);
        }
        var empty = found(flows, false);
        try (var server = start()) {
            fill(flows.at(server));
            Backlog.stop(server);
        }
        say(empty, found(flows, true));
    }

    /** Publishes both flows; runs that wait for a signal are in the project whose lists are measured. */
    private Published publish(ServerProcess server) {
        var called = PublishedFlow.create(server.api(Backlog.DEADLINE), flow);
        var delay = webhook().delay("step_1", WAIT_SECONDS);
        var signal = webhook().answerAndWait("step_1", "{'asked':true}").returnJson("step_2", "{'done':true}");
        return new Published(
                called,
                called.inProjectOfItsOwn(delay.importOperation("Delay").path("request")),
                called.beside(signal.importOperation("Signal").path("request")));
    }

    private void fill(Published flows) {
        var begun = System.nanoTime();
        copies.fill(flows.delayed(), "d", EACH);
        copies.fill(flows.signalled(), SIGNALLED, EACH);
        report.say(
                "%s paused runs after %.0f s; their rows and indexes: %s",
                directory.ask("select count(*) from run where status = 'PAUSED'"),
                (System.nanoTime() - begun) / 1e9,
                directory.ask("select pg_size_pretty(pg_total_relation_size('run') "
                        + "+ pg_total_relation_size('waitpoint') + pg_total_relation_size('run_step'))"));
    }

    private Found found(Published flows, boolean isFull) {
        var starts = IntStream.range(0, STARTS).mapToObj(_ -> startSeconds()).toList();
        try (var server = start()) {
            var known = flows.at(server);
            var list = "/api/v1/flow-runs?limit=50&projectId=" + known.called().projectId() + "&status=";
            var found = new Found(
                    Backlog.middle(starts, seconds -> seconds),
                    claimMs(),
                    call(server, known),
                    resumeMs(known.signalled(), isFull),
                    getMs(server, known, list + "RUNNING"),
                    getMs(server, known, list + "FAILED"),
                    getMs(server, known, "/api/v1/metrics"),
                    idle(server));
            Backlog.stop(server);
            return found;
        }
    }

    private double startSeconds() {
        try (var server = start()) {
            var seconds = ColdStart.healthySeconds(server, Backlog.DEADLINE);
            Backlog.stop(server);
            return seconds;
        }
    }

    /** The median of claims that find nothing, as almost all claims do. */
    private double claimMs() {
        var store = new RunOwnerStore();
        return copies.withDatabase(database -> {
            var times = new ArrayList<Double>();
            for (var claim = 0; claim < CLAIMS; claim++) {
                var begun = System.nanoTime();
                var claimed = database.inTransaction(tx -> store.claimOrphans(tx, "bench", CLAIMED_MAX, List.of()))
                        .await();
                times.add((System.nanoTime() - begun) / 1e6);
                if (!claimed.runs().isEmpty()) {
                    throw new AssertionError("expected nothing to claim, found " + claimed);
                }
            }
            return Backlog.middle(times, time -> time);
        });
    }

    /** The round with the median p99. */
    private LoadFigures call(ServerProcess server, Published flows) {
        var target = Backlog.call(server, flows.called(), "/sync");
        load.run(target, CONNECTIONS, WARM_UP);
        return IntStream.range(0, ROUNDS)
                .mapToObj(_ -> load.run(target, CONNECTIONS, ROUND))
                .sorted(Comparator.comparingDouble(LoadFigures::p99Ms))
                .toList()
                .get(ROUNDS / 2);
    }

    /** Median from the call of a run's resume address to the response of the run. */
    private double resumeMs(PublishedFlow signalled, boolean isFull) {
        var times = new ArrayList<Double>();
        for (var resume = 1; resume <= RESUMES; resume++) {
            var runId = isFull ? PausedCopies.id(SIGNALLED, resume * (EACH / RESUMES)) : copies.pause(signalled);
            var waitpointId = directory.ask("select waitpoint_id from run where id = '" + runId + "'");
            var address = "/v1/flow-runs/" + runId + "/waitpoints/" + waitpointId + "/sync";
            var begun = System.nanoTime();
            var answer = signalled.api().post(address, Json.object());
            times.add((System.nanoTime() - begun) / 1e6);
            if (!answer.body().path("done").asBoolean()) {
                throw new AssertionError("expected a run that goes on, found " + answer);
            }
        }
        return Backlog.middle(times, time -> time);
    }

    private double getMs(ServerProcess server, Published flows, String path) {
        var token = flows.called().api().token();
        var target = Target.get(server.port(Backlog.DEADLINE), path, token);
        load.run(target, 1, SHORT_ROUND);
        var figures = load.run(target, 1, SHORT_ROUND);
        if (figures.refused() > 0) {
            throw new AssertionError("expected answers of " + path);
        }
        return figures.medianMs();
    }

    private Idle idle(ServerProcess server) {
        var readBefore = Long.parseLong(directory.ask(ROWS_READ));
        var usedBefore = ProcessorTime.of(server);
        LockSupport.parkNanos(IDLE.toNanos());
        var used = ProcessorTime.of(server).since(usedBefore);
        return new Idle(
                (double) used.itself().plus(used.others()).toMillis() / IDLE.toSeconds(),
                Long.parseLong(directory.ask(ROWS_READ)) - readBefore);
    }

    private void say(Found empty, Found full) {
        var idleSeconds = IDLE.toSeconds();
        report.table(
                "Beside a million paused runs.",
                List.of("", "without them", "beside them"),
                List.of(
                        row("start to a healthy answer, s", empty, full, Found::startSeconds),
                        row("claim that finds nothing, ms", empty, full, Found::claim),
                        row(
                                "call at 16 connections, median ms",
                                empty,
                                full,
                                found -> found.call().medianMs()),
                        row(
                                "call at 16 connections, p99 ms",
                                empty,
                                full,
                                found -> found.call().p99Ms()),
                        row("run resumed by its address until it answers, ms", empty, full, Found::resume),
                        row("list of running runs, ms", empty, full, Found::listOfRunning),
                        row("list of failed runs, ms", empty, full, Found::listOfFailed),
                        row("figures of all runs, ms", empty, full, Found::gauges),
                        row(
                                "idle: processor time in a second, ms",
                                empty,
                                full,
                                found -> found.idle().usedPerSecond()),
                        row("idle: rows read in " + idleSeconds + " s", empty, full, found ->
                                (double) found.idle().rowsRead())));
        report.judge("claim beside a million paused runs", full.claim() / empty.claim(), "times", 1.5, false);
        report.judge(
                "p99 of calls beside them", full.call().p99Ms() / empty.call().p99Ms(), "times", 1.5, false);
        report.judge("start beside them", full.startSeconds() - empty.startSeconds(), "s more", 0.5, false);
        report.judge("resume of one of them", full.resume(), "ms", 20, false);
        report.judge("list of running runs beside them", full.listOfRunning(), "ms", 5, false);
        report.judge("list of failed runs beside them", full.listOfFailed(), "ms", 5, false);
        report.judge("figures of all runs beside them", full.gauges(), "ms", 250, false);
        report.judge(
                "rows of them that an idle server reads", (double) full.idle().rowsRead(), "rows", 10_000, false);
    }

    private static List<String> row(String name, Found empty, Found full, ToDoubleFunction<Found> value) {
        return List.of(name, Plot.number(value.applyAsDouble(empty)), Plot.number(value.applyAsDouble(full)));
    }

    private ServerProcess start() {
        return ServerProcess.start(List.of(program.toString()), directory.path(), Map.of());
    }
}
