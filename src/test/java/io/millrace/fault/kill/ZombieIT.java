package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on one database: one is frozen until its lease has expired, and resumes after the other has taken over its
 * runs.
 */
@Slow(Slow.Reason.FAULT)
final class ZombieIT {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);

    private final Vertx vertx = TestPostgres.vertx();
    private final DatabaseSettings settings = TestPostgres.freshDatabase();
    private Database database;
    private Outside outside;

    @BeforeEach
    void open() {
        database = Database.open(vertx, settings);
        outside = Outside.start();
    }

    @AfterEach
    void close() {
        outside.close();
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void changesNothing_whenItWakesUpAfterItsLease() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var zombie = start(first)) {
            // given a run in the middle of a step, on a frozen node
            var flow = publish(zombie);
            var answer = flow.api().postAsync("/v1/webhooks/" + flow.flowId(), Json.object());
            outside.awaitCalls(1);
            assertThat(answer.join().status()).isEqualTo(200);
            zombie.freeze();

            // when its lease expires, and the other node takes the run over and ends it
            execute("update node set lease_until = now() - interval '1 second'");
            try (var other = start(second)) {
                other.api(START_DEADLINE);
                outside.awaitCalls(2);
                outside.release();
                Waiting.until("the run has ended", () -> count("select count(*) from ended_run") == 1);
                var ended = text("select xmin::text || log::text from ended_run");

                // then the resumed node finds that it has lost its ownership
                zombie.thaw();
                Waiting.until("the zombie knows", () -> zombie.output().contains("has another owner"));
                assertThat(text("select xmin::text || log::text from ended_run"))
                        .isEqualTo(ended);
                assertThat(count("select count(*) from run")).isZero();
                assertThat(count("select count(*) from run_step")).isZero();

                // and only the step in flight was repeated, with its key
                assertThat(outside.paths()).containsExactly("/held", "/held", "/after");
                assertThat(outside.calls().get(1).idempotencyKey())
                        .isEqualTo(outside.calls().getFirst().idempotencyKey());
            }
        }
    }

    private ServerProcess start(DataDirectory directory) {
        var environment = new HashMap<>(Map.of(
                "AP_LOG_LEVEL", "warn",
                "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                "AP_JWT_SECRET", "a secret that both nodes know",
                "AP_ENCRYPTION_KEY", "0123456789abcdef0123456789abcdef"));
        environment.put("AP_POSTGRES_HOST", "127.0.0.1");
        environment.put("AP_POSTGRES_PORT", Integer.toString(settings.port()));
        environment.put("AP_POSTGRES_DATABASE", settings.database());
        environment.put("AP_POSTGRES_USERNAME", settings.user());
        environment.put("AP_POSTGRES_PASSWORD", settings.password());
        return ServerProcess.ofClasses(directory.path(), environment);
    }

    private PublishedFlow publish(ServerProcess server) {
        var script = webhook()
                .http("step_1", "POST", outside.url("/held"))
                .http("step_2", "POST", outside.url("/after"))
                .map("step_3", "{'done':true}");
        return PublishedFlow.create(
                server.api(START_DEADLINE), script.importOperation("Mill").path("request"));
    }

    private void execute(String sql) {
        Waiting.await(database.query(sql));
    }

    private long count(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getLong(0);
    }

    private String text(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getString(0);
    }
}
