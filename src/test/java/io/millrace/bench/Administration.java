package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The administration API of a server with much history: pages of long lists, first and late ones, and the effect of
 * administration on webhook callers. The rows are written directly into a durable database.
 */
final class Administration {
    private static final int ROWS = 100_000;
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration ROUND = Duration.ofSeconds(4);
    private static final Duration WARM_UP = Duration.ofSeconds(8);

    /** Until the JVM has compiled the code of both kinds of requests. */
    private static final Duration MIXED_WARM_UP = Duration.ofSeconds(25);

    private static final int REQUESTS_PER_SECOND = 1000;
    private static final int CALLS_PER_SECOND = 500;
    private static final int CONNECTIONS = 16;
    private static final int ROUNDS = 3;
    private static final String ORDER = "{\"customer\":\"Ada\",\"quantity\":3,\"price\":19.5}";

    private static final List<String> FILL = List.of("""
            insert into user_identity (id, created, updated, email, password_hash, first_name, last_name, provider,
                                       verified, track_events, news_letter)
            select 'u' || lpad(n::text, 20, '0'), now(), now(), n || '@example.org', '', 'Ada', 'Miller', 'EMAIL', true,
                   false, false
              from generate_series(1, $1) n
            """, """
            insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status)
            select i.id, now() - n * interval '1 second', now(), i.id, p.id, 'MEMBER', 'ACTIVE'
              from platform p, generate_series(1, $1) n
              join user_identity i on i.id = 'u' || lpad(n::text, 20, '0')
            """, """
            insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                   start_time, finish_time, fail_parent, tags, steps_count)
            select 'r' || lpad(n::text, 20, '0'), t, t, f.project_id, f.id, f.published_version_id, 'PRODUCTION',
                   'SUCCEEDED', t, t, true, '{}', 4
              from flow f, generate_series(1, $1) n, lateral (select now() - n * interval '1 second' as t) x
            """, """
            insert into audit_event (id, created, platform_id, action, body, sequence, hash)
            select 'a' || lpad(n::text, 20, '0'), now() - ($1 - n) * interval '1 second', c.platform_id,
                   'folder.created', e.body, c.length + n, e.hash
              from audit_chain c, (select body, hash from audit_event limit 1) e, generate_series(1, $1) n
            """, """
            update audit_chain set length = length + $1, newest = now()
            """);

    private final int port;
    private final Published published;
    private final LoadGenerator load;
    private final BenchReport report;

    private Administration(int port, Published published, LoadGenerator load, BenchReport report) {
        this.port = port;
        this.published = published;
        this.load = load;
        this.report = report;
    }

    /** A flow, and the key that administers its platform. */
    private record Published(PublishedFlow flow, ApiClient api, String key) {}

    /** Measures a packaged server. */
    static void measure(Path program, JsonNode flow, BenchReport report) {
        var directory = DataDirectory.create();
        var data = directory.path().resolve("postgres");
        var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(data));
        var settings = Map.of(
                "AP_POSTGRES_HOST", "127.0.0.1",
                "AP_POSTGRES_PORT", Integer.toString(postgres.port()),
                "AP_POSTGRES_DATABASE", postgres.database(),
                "AP_POSTGRES_USERNAME", postgres.user(),
                "AP_POSTGRES_PASSWORD", postgres.password());
        try (var server = ServerProcess.start(List.of(program.toString()), directory.path(), settings);
                var load = new LoadGenerator()) {
            var administration = new Administration(server.port(START_DEADLINE), published(server, flow), load, report);
            fill(postgres.connection());
            administration.measure();
            server.terminate();
            server.exitStatus(START_DEADLINE);
        } finally {
            postgres.stop();
            directory.close();
        }
    }

    private static Published published(ServerProcess server, JsonNode flow) {
        var anonymous = server.api(START_DEADLINE);
        var published = PublishedFlow.create(anonymous, flow);
        var key = published
                .api()
                .post("/v1/api-keys", Json.object().put("displayName", "Bench"))
                .text("/value");
        return new Published(published, anonymous.with(key), key);
    }

    private static void fill(DatabaseSettings settings) {
        var vertx = Vertx.builder()
                .with(new VertxOptions().setPreferNativeTransport(true))
                .build();
        var database = Database.open(vertx, settings);
        for (var statement : FILL) {
            database.query(statement, ROWS).await();
        }
        database.query("analyze").await();
        database.close().await();
        vertx.close().await();
    }

    private void measure() {
        var project = "?projectId=" + published.flow().projectId();
        load.run(get("/v1/users?limit=50"), 2, WARM_UP);
        list("runs", "/v1/flow-runs" + project + "&limit=");
        list("users", "/v1/users?limit=");
        list("audit events", "/v1/audit-events?limit=");
        var newProject = Target.post(port, "/api/v1/projects", "{\"displayName\":\"Bench\"}", published.key());
        load.run(newProject, 1, WARM_UP);
        report.judge("creating a project", load.run(newProject, 1, ROUND).medianMs(), "ms", 5, false);
        besideWebhooks(project);
    }

    private void list(String name, String path) {
        var deep = path + "50&cursor=" + deepCursor(path);
        load.run(get(path + "50"), 2, WARM_UP);
        var first = load.run(get(path + "50"), 1, ROUND).medianMs();
        var last = load.run(get(deep), 1, ROUND).medianMs();
        report.judge("50 of 100,000 " + name, first, "ms", 5, false);
        report.judge("50 of 100,000 " + name + ", behind 90,000", last, "ms", 5, false);
        report.judge("a deep page of " + name + " against the first", last / first, "times", 1.5, false);
    }

    private String deepCursor(String path) {
        var cursor = "";
        for (var page = 0; page < 90; page++) {
            cursor = published.api().get(path + "1000" + cursor).text("/next");
            if (page < 89) {
                cursor = "&cursor=" + cursor;
            }
        }
        return cursor;
    }

    /** A thousand requests per second, a quarter of them writes, beside callers of a flow's webhook. */
    private void besideWebhooks(String project) {
        var requests = List.of(
                get("/v1/flow-runs" + project + "&limit=10"),
                get("/v1/users?limit=10"),
                get("/v1/flows/" + published.flow().flowId()),
                Target.post(
                        port,
                        "/api/v1/projects/" + published.flow().projectId(),
                        "{\"metadata\":{\"a\":1}}",
                        published.key()));
        var sync = List.of(
                Target.post(port, "/api/v1/webhooks/" + published.flow().flowId() + "/sync", ORDER, published.key()));
        load.run(sync.getFirst(), CONNECTIONS, MIXED_WARM_UP);
        load.paced(requests, CONNECTIONS / requests.size(), REQUESTS_PER_SECOND, MIXED_WARM_UP);
        var alone = new ArrayList<Double>();
        var beside = new ArrayList<Double>();
        try (var others = new LoadGenerator()) {
            for (var round = 0; round < ROUNDS; round++) {
                alone.add(load.paced(sync, CONNECTIONS, CALLS_PER_SECOND, ROUND).p99Ms());
                var administration = CompletableFuture.supplyAsync(
                        () -> others.paced(requests, CONNECTIONS / requests.size(), REQUESTS_PER_SECOND, ROUND));
                beside.add(
                        load.paced(sync, CONNECTIONS, CALLS_PER_SECOND, ROUND).p99Ms());
                var answered = administration.join();
                report.say(
                        "  round %d: %.0f requests/s (p50 %.2f ms, p99 %.2f ms, refused %d); p99 of %d calls/s %.2f ms"
                                + " alone, %.2f ms beside them",
                        round + 1,
                        answered.throughput(),
                        answered.medianMs(),
                        answered.p99Ms(),
                        answered.refused(),
                        CALLS_PER_SECOND,
                        alone.getLast(),
                        beside.getLast());
            }
        }
        report.judge("p99 of calls beside administration", middle(beside) / middle(alone), "times", 2, false);
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private Target get(String path) {
        return Target.get(port, "/api" + path, published.key());
    }
}
