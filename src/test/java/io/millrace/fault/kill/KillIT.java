package io.millrace.fault.kill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.fault.Ledger;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Nothing accepted is lost, nothing recorded is repeated, nothing is orphaned (DESIGN 1): after any process is killed
 * under webhook load, a restarted server has every webhook that was answered with a 2xx, once, and ends its run.
 */
@Slow(Slow.Reason.FAULT)
final class KillIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(40);
    private static final int ACCEPTED_BEFORE_THE_FAULT = 300;

    /** Each run waits a moment: with the default number of slots they would wait for each other, too. */
    private static final Map<String, String> SETTINGS =
            Map.of("AP_LOG_LEVEL", "warn", "AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "200");

    /** Shared, because creating a database takes longer than a test; each test publishes a new flow in it. */
    private static DataDirectory directory;

    @BeforeAll
    static void makeData() {
        directory = DataDirectory.prepared();
    }

    @AfterAll
    static void removeData() {
        directory.close();
    }

    @Test
    void keepsEveryAcceptedWebhook_whenTheServerIsKilled() {
        // given a server under load
        try (var server = start()) {
            var flow = publish(server);
            var load = load(flow);

            // when it is killed
            server.kill();
            server.exitStatus(STOP_DEADLINE);

            // then its database ends with it, and the next server has every webhook
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());
            assertKeptByTheNextServer(flow, load);
        }
    }

    @Test
    void keepsEveryAcceptedWebhook_whenPostgresIsKilled() {
        // given a server under load
        try (var server = start()) {
            var flow = publish(server);
            var load = load(flow);

            // when its database is killed
            killPostgres();

            // then the server restarts it, continues to accept, and has every webhook
            load.awaitAccepted(2 * ACCEPTED_BEFORE_THE_FAULT);
            new Ledger(flow).assertKept(load.acceptedInTheEnd());
            assertThat(directory.postmaster()).isPresent();
        }
    }

    @Test
    void keepsEveryAcceptedWebhook_whenServerAndPostgresAreKilled() {
        // given a server under load
        try (var server = start()) {
            var flow = publish(server);
            var load = load(flow);

            // when both are killed, the database without a shutdown
            killPostgres();
            server.kill();
            server.exitStatus(STOP_DEADLINE);

            // then the next server recovers the database and has every webhook
            assertKeptByTheNextServer(flow, load);
        }
    }

    @Test
    void keepsEveryAcceptedWebhook_whenTheServerIsTerminated() {
        // given a server under load
        try (var server = start()) {
            var flow = publish(server);
            var load = load(flow);

            // when it gets a SIGTERM
            server.terminate();

            // then it ends by the signal, leaves no database process behind, and the next server has every webhook
            assertThat(server.exitStatus(STOP_DEADLINE)).as(server.output()).isEqualTo(128 + 15);
            // After AP_SHUTDOWN_SECONDS the process ends in any case, and the watchdog ends PostgreSQL.
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());
            assertKeptByTheNextServer(flow, load);
        }
    }

    @Test
    void refusesToStart_whenAnotherServerHasTheDataDirectory() {
        // given a running server
        try (var first = start()) {
            var api = first.api(START_DEADLINE);

            // when a second one is started on the same data directory
            try (var second = start()) {
                // then the second one exits with the reason, and the first one continues
                assertThat(second.exitStatus(STOP_DEADLINE)).isEqualTo(78);
                assertThat(second.output()).contains("another server uses the data directory " + directory.path());
                assertThat(api.get("/v1/health").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void refusesToStart_whenASettingIsBad() {
        // given an invalid value of a setting
        var settings = Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "soon");

        // when a server is started with it
        try (var empty = DataDirectory.create();
                var server = ServerProcess.ofClasses(empty.path(), settings)) {
            // then it exits immediately and names the setting, and has created nothing
            assertThat(server.exitStatus(STOP_DEADLINE)).isEqualTo(78);
            assertThat(server.output()).contains("AP_WEBHOOK_TIMEOUT_SECONDS").contains("soon");
            assertThat(empty.path()).isEmptyDirectory();
        }
    }

    private static ServerProcess start() {
        return ServerProcess.ofClasses(directory.path(), SETTINGS);
    }

    private static PublishedFlow publish(ServerProcess server) {
        return PublishedFlow.create(server.api(START_DEADLINE), flowFile());
    }

    private static WebhookLoad load(PublishedFlow flow) {
        var load = WebhookLoad.start(flow);
        load.awaitAccepted(ACCEPTED_BEFORE_THE_FAULT);
        return load;
    }

    private static void assertKeptByTheNextServer(PublishedFlow flow, WebhookLoad load) {
        var accepted = load.acceptedInTheEnd();
        try (var next = start()) {
            new Ledger(flow.at(next.api(START_DEADLINE))).assertKept(accepted);
        }
    }

    private static void killPostgres() {
        assertThat(directory.postmaster().orElseThrow().destroyForcibly()).isTrue();
    }

    private static JsonNode flowFile() {
        try (var file = KillIT.class.getResourceAsStream("/fault/flow.json")) {
            return Json.parse(file.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
