package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Delay of one project by another: latency of a neighbor's synchronous and asynchronous runs, with and without a
 * project that has 100,000 queued runs. All limits have their defaults.
 */
final class HeavyTenant {
    private static final int QUEUED = 100_000;
    private static final int CONNECTIONS = 4;
    private static final int CALLS_PER_SECOND = 100;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration ROUND = Duration.ofSeconds(8);

    private final DataDirectory directory;
    private final LoadGenerator load;
    private final BenchReport report;

    private HeavyTenant(DataDirectory directory, LoadGenerator load, BenchReport report) {
        this.directory = directory;
        this.load = load;
        this.report = report;
    }

    /** A neighbor's synchronous flow, and an asynchronous one. */
    private record Neighbour(Target answering, Target accepting, String acceptingFlowId) {}

    /** Latencies of the neighbor in one round, in ms. */
    private record Round(
            double answered, double answeredP99, double accepted, double acceptedP99, double ended, double endedP99) {}

    static void measure(Path program, JsonNode flow, BenchReport report) {
        try (var directory = DataDirectory.create();
                var slow = new SlowService();
                var load = new LoadGenerator();
                var server = ServerProcess.start(
                        List.of(program.toString()), directory.path(), Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"))) {
            var answering = PublishedFlow.create(server.api(Backlog.DEADLINE), flow);
            var accepting = answering.beside(slow.flow());
            var heavy = answering.inProjectOfItsOwn(slow.flow());
            new HeavyTenant(directory, load, report)
                    .measure(
                            new Neighbour(
                                    Backlog.call(server, answering, "/sync"),
                                    Backlog.call(server, accepting, ""),
                                    accepting.flowId()),
                            Backlog.call(server, heavy, ""),
                            heavy.flowId());
            Backlog.stop(server);
        }
    }

    private void measure(Neighbour neighbour, Target heavy, String heavyFlowId) {
        var all = List.of(neighbour.answering(), neighbour.accepting(), heavy);
        load.paced(all, CONNECTIONS, CALLS_PER_SECOND * all.size(), WARM_UP);
        untilOver(neighbour.acceptingFlowId());
        untilOver(heavyFlowId);
        var alone = rounds(neighbour);
        queue(heavyFlowId);
        Waiting.until("the heavy project begins", () -> inLine(heavyFlowId) < QUEUED);
        var lineBefore = inLine(heavyFlowId);
        var begun = System.nanoTime();
        var beside = rounds(neighbour);
        var line = inLine(heavyFlowId);
        report.say(
                "the heavy project has %d runs in line at the end, and ends %.0f of them a second",
                line, (lineBefore - line) / ((System.nanoTime() - begun) / 1e9));
        if (line < QUEUED / 4) {
            throw new AssertionError("expected a line until the end, found " + line);
        }
        say(alone, beside);
    }

    /** Inserts runs without an owner, created before all others, as for items of a trigger. */
    private void queue(String flowId) {
        directory.ask("""
                with queued as (
                  insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status, fail_parent,
                                   flow_name, tags, payload, owner, fence)
                  select 'h' || lpad(n::text, 20, '0'), t, t, f.project_id, f.id, f.published_version_id, 'PRODUCTION',
                         'QUEUED', true, 'Flow', '{}',
                         convert_to('{"body":{"n":' || n || '},"headers":{},"queryParams":{}}', 'UTF8'), '', 0
                    from flow f, generate_series(1, %d) n,
                         lateral (select now() - interval '1 hour' + n * interval '1 millisecond' as t) x
                   where f.id = '%s'
                  returning 1)
                select count(*) from queued
                """.formatted(QUEUED, flowId));
    }

    private long inLine(String flowId) {
        return Long.parseLong(directory.ask("select count(*) from run where flow_id = '" + flowId + "'"));
    }

    private void untilOver(String flowId) {
        Waiting.until("the runs are over", () -> inLine(flowId) == 0);
    }

    private List<Round> rounds(Neighbour neighbour) {
        var rounds = new ArrayList<Round>();
        for (var round = 0; round < ROUNDS; round++) {
            var answered = load.paced(List.of(neighbour.answering()), CONNECTIONS, CALLS_PER_SECOND, ROUND);
            var since = Instant.now();
            var accepted = load.paced(List.of(neighbour.accepting()), CONNECTIONS, CALLS_PER_SECOND, ROUND);
            untilOver(neighbour.acceptingFlowId());
            if (answered.refused() + accepted.refused() > 0) {
                throw new AssertionError("expected no call to be refused");
            }
            rounds.add(new Round(
                    answered.medianMs(),
                    answered.p99Ms(),
                    accepted.medianMs(),
                    accepted.p99Ms(),
                    endedMs(neighbour, since, "0.5"),
                    endedMs(neighbour, since, "0.99")));
        }
        return rounds;
    }

    /** Percentile of the time from acceptance to end, in ms, of runs accepted since a moment. */
    private double endedMs(Neighbour neighbour, Instant since, String share) {
        return Double.parseDouble(directory.ask("""
                select percentile_cont(%s) within group (order by extract(epoch from finish_time - created) * 1000)
                  from ended_run where flow_id = '%s' and created >= '%s'
                """.formatted(share, neighbour.acceptingFlowId(), since)));
    }

    private void say(List<Round> alone, List<Round> beside) {
        report.table(
                "A neighbour of a project with 100,000 runs in line: ms, median of %d rounds of %d s at %d calls a second."
                        .formatted(ROUNDS, ROUND.toSeconds(), CALLS_PER_SECOND),
                List.of("", "answered", "p99", "accepted", "p99", "accepted until ended (a call of 20 ms)", "p99"),
                List.of(row("alone", alone), row("beside it", beside)));
        judge("p99 of answers beside the heavy project", p99(beside, true) / p99(alone, true));
        judge("p99 until runs have ended beside it", p99(beside, false) / p99(alone, false));
    }

    private void judge(String name, double times) {
        report.judge(name, times, "times", 2, false);
    }

    private static double p99(List<Round> rounds, boolean isAnswered) {
        return Backlog.middle(rounds, isAnswered ? Round::answeredP99 : Round::endedP99);
    }

    private static List<String> row(String name, List<Round> rounds) {
        return List.of(
                name,
                Plot.number(Backlog.middle(rounds, Round::answered)),
                Plot.number(Backlog.middle(rounds, Round::answeredP99)),
                Plot.number(Backlog.middle(rounds, Round::accepted)),
                Plot.number(Backlog.middle(rounds, Round::acceptedP99)),
                Plot.number(Backlog.middle(rounds, Round::ended)),
                Plot.number(Backlog.middle(rounds, Round::endedP99)));
    }
}
