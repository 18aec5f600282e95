package io.millrace.bench;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Slowdown of a server with a long history: callers and lists with a million and ten million stored runs, and calls
 * spread over thousands of flows. The history is written directly into the database of the measured server.
 */
final class Growth {
    private static final List<Integer> RUNS = List.of(0, 1_000_000, 10_000_000);
    private static final List<Integer> FLOWS = List.of(1, 1_000, 10_000);
    private static final int CONNECTIONS = 16;
    private static final int CALLS_PER_SECOND = 1_000;
    private static final int STORED_AT_ONCE = 250_000;
    private static final Duration CALM_DEADLINE = Duration.ofMinutes(5);

    /**
     * Spread over the last day, so that they are in today's partition, and in the order of real runs: the oldest first,
     * with ids ascending by time, before today's. Their indexes then grow at their ends, as on a real server.
     */
    private static final String STORE_RUNS = """
            insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                   start_time, finish_time, fail_parent, tags, steps_count, log)
            select '0' || lpad(($3::bigint + n)::text, 20, '0'), t, t, f.project_id, f.id, f.published_version_id,
                   'PRODUCTION', 'SUCCEEDED', t, t, true, '{}', 4, decode(repeat('6d', 147), 'hex')
              from flow f, generate_series(1, $2::bigint) n,
                   lateral (select now() - ($4::bigint - $3::bigint - n) * interval '8 milliseconds' as t) x
             where f.id = $1
            """;

    /** Number of running autovacuum workers. */
    private static final String TIDYING = """
            select count(*)::text from pg_stat_activity where backend_type = 'autovacuum worker'
            """;

    private static final List<String> STORE_FLOWS = List.of("""
            insert into flow
            select (jsonb_populate_record(f, jsonb_build_object('id', 'f' || lpad(n::text, 20, '0'),
                     'external_id', 'bench-' || n, 'published_version_id', 'v' || lpad(n::text, 20, '0')))).*
              from flow f, generate_series($2::bigint, $3::bigint) n
             where f.id = $1
            """, """
            insert into flow_version
            select (jsonb_populate_record(v, jsonb_build_object('id', 'v' || lpad(n::text, 20, '0'),
                     'flow_id', 'f' || lpad(n::text, 20, '0')))).*
              from flow f join flow_version v on v.id = f.published_version_id, generate_series($2::bigint, $3::bigint) n
             where f.id = $1
            """);

    /** Each flow is called a dozen times before: first calls are profiled, and cost extra. */
    private static final long WARM_UP_MS_A_FLOW = 1;

    private final PublishedFlow flow;
    private final int port;
    private final LoadGenerator load;
    private final Path directory;
    private final Duration round;
    private final BenchReport report;

    Growth(PublishedFlow flow, int port, LoadGenerator load, Path directory, Duration round, BenchReport report) {
        this.flow = flow;
        this.port = port;
        this.load = load;
        this.directory = directory;
        this.round = round;
        this.report = report;
    }

    void measure() {
        var vertx = Vertx.builder()
                .with(new VertxOptions().setPreferNativeTransport(true))
                .build();
        var database =
                Database.open(vertx, EmbeddedPostgres.running(directory).withStatementTimeout(Duration.ofMinutes(10)));
        try {
            flows(database);
            runs(database);
        } finally {
            database.close().compose(_ -> vertx.close()).await();
        }
    }

    private void flows(Database database) {
        var rates = new ArrayList<Double>();
        var stored = 1;
        for (var count : FLOWS) {
            for (var statement : count > stored ? STORE_FLOWS : List.<String>of()) {
                database.query(statement, flow.flowId(), (long) stored + 1, (long) count)
                        .await();
            }
            stored = count;
            var targets = new ArrayList<>(List.of(sync(flow.flowId())));
            IntStream.rangeClosed(2, count).forEach(n -> targets.add(sync("f%020d".formatted(n))));
            load.inTurn(targets, CONNECTIONS, round.multipliedBy(2).plusMillis(count * WARM_UP_MS_A_FLOW));
            rates.add(load.inTurn(targets, CONNECTIONS, round).throughput());
        }
        report.plot(new Plot(
                "Synchronous calls that go round several flows",
                "calls a second, by flows",
                FLOWS.stream().map(Object::toString).toList(),
                List.of(new Plot.Line("16 connections", rates))));
        report.judge(
                "calls of 10,000 flows against calls of one", 100 * rates.getLast() / rates.getFirst(), "%", 80, true);
    }

    private void runs(Database database) {
        var list = Target.get(
                port,
                "/api/v1/flow-runs?projectId=" + flow.projectId() + "&limit=50",
                flow.api().token());
        var calls = new ArrayList<Double>();
        var lists = new ArrayList<Double>();
        var stored = 0;
        for (var count : RUNS) {
            for (; stored < count; stored += STORED_AT_ONCE) {
                database.query(STORE_RUNS, flow.flowId(), (long) STORED_AT_ONCE, (long) stored, (long) RUNS.getLast())
                        .await();
            }
            settle(database);
            report.say("%s ended runs are stored", text(database, "select count(*)::text from ended_run"));
            calls.add(p99Ms(sync(flow.flowId()), CALLS_PER_SECOND));
            lists.add(p99Ms(list, CALLS_PER_SECOND / 10));
        }
        report.plot(new Plot(
                "p99 beside stored runs",
                "ms, by runs",
                RUNS.stream().map(count -> count / 1_000_000 + " M").toList(),
                List.of(
                        new Plot.Line(CALLS_PER_SECOND + " calls/s", calls),
                        new Plot.Line(CALLS_PER_SECOND / 10 + " lists/s", lists))));
        report.judge("p99 of calls beside ten million runs", calls.getLast() / calls.getFirst(), "times", 1.2, false);
        report.judge("p99 of lists of ten million runs", lists.getLast() / lists.getFirst(), "times", 1.2, false);
    }

    /**
     * Settles the new rows: otherwise the database would vacuum millions of them, and the disk would write them, during
     * the measurement. A real server takes hours for this number of rows.
     */
    private static void settle(Database database) {
        database.query("vacuum (freeze, analyze) ended_run").await();
        Waiting.until(
                "the database to have tidied up",
                CALM_DEADLINE,
                () -> text(database, TIDYING).equals("0"));
        database.query("checkpoint").await();
    }

    private static String text(Database database, String statement) {
        return database.query(statement).await().iterator().next().getString(0);
    }

    /** The median of three rounds at a rate that the server sustains. */
    private double p99Ms(Target target, int perSecond) {
        load.paced(List.of(target), CONNECTIONS, perSecond, round);
        return IntStream.range(0, 3)
                .mapToDouble(_ -> load.paced(List.of(target), CONNECTIONS, perSecond, round.multipliedBy(2))
                        .p99Ms())
                .sorted()
                .toArray()[1];
    }

    private Target sync(String flowId) {
        return Target.post(port, "/api/v1/webhooks/" + flowId + "/sync", Bench.ORDER);
    }
}
