package io.millrace.fault.poison;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs that are under way for long, while their server is killed again and again and one run ends it besides. */
final class BystanderIT {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final Duration LISTENING = Duration.ofSeconds(90);
    private static final int BYSTANDERS = 12;
    private static final int KILLS = 20;
    private static final int KILLED_AFTER_MS_MIN = 500;
    private static final int KILLED_AFTER_MS_MAX = 14_000;

    @Test
    void endWell_whereverTheirServerIsKilled_andOnlyTheCulpritIsSetAside() throws IOException {
        var random = new Random(20);
        try (var directory = DataDirectory.create();
                var outside = Outside.start()) {
            // Given
            var server = start(directory);
            var innocent = publish(
                    server,
                    webhook().http("step_1", "POST", outside.url("/held")).map("step_2", "{'done':true}"));
            var poisoned = publish(
                    server, webhook().piece("step_1", Poison.NAME, Poison.VERSION, Poison.ACTION, Json.object()));
            for (var run = 0; run < BYSTANDERS; run++) {
                innocent.api().post("/v1/webhooks/" + innocent.flowId(), Json.object());
            }
            Waiting.until("all are under way", LISTENING, () -> outside.calls().size() >= BYSTANDERS);
            var _ = poisoned.api().postAsync("/v1/webhooks/" + poisoned.flowId(), Json.object());
            server.exitStatus(DEADLINE);

            // When
            for (var kill = 0; kill < KILLS; kill++) {
                server = restart(directory, server);
                var struck = server;
                Waiting.until("the server ends or listens", LISTENING, () -> !struck.isAlive() || struck.isListening());
                struck.killAfter(Duration.ofMillis(random.nextInt(KILLED_AFTER_MS_MIN, KILLED_AFTER_MS_MAX)));
                struck.exitStatus(DEADLINE);
            }

            // Then
            server = restart(directory, server);
            while (!hasEndedAll(server, innocent, poisoned, outside)) {
                server = restart(directory, server);
            }
            try (var last = server) {
                var api = last.api(LISTENING);
                assertThat(statuses(innocent.at(api))).hasSize(BYSTANDERS).containsOnly("SUCCEEDED");
                assertThat(statuses(poisoned.at(api))).containsExactly("INTERNAL_ERROR");
            }
        }
    }

    /** Whether no run is left; false when the server ended before. */
    private static boolean hasEndedAll(
            ServerProcess server, PublishedFlow innocent, PublishedFlow poisoned, Outside outside) {
        Waiting.until("the server ends or listens", LISTENING, () -> !server.isAlive() || server.isListening());
        Waiting.until("the server ends, or all runs have", DEADLINE, () -> {
            outside.release();
            return !server.isAlive() || isOver(server, innocent) && isOver(server, poisoned);
        });
        return server.isAlive();
    }

    private static boolean isOver(ServerProcess server, PublishedFlow flow) {
        try {
            return statuses(flow.at(server.api(LISTENING))).stream()
                    .noneMatch(status -> status.matches("RUNNING|QUEUED"));
        } catch (RuntimeException | AssertionError gone) {
            return false;
        }
    }

    private static List<String> statuses(PublishedFlow flow) {
        return flow.runs().stream().map(run -> run.path("status").asText()).toList();
    }

    private static ServerProcess restart(DataDirectory directory, ServerProcess ended) {
        ended.close();
        Waiting.until(
                "PostgreSQL ends with its server", () -> directory.postmaster().isEmpty());
        return start(directory);
    }

    private static ServerProcess start(DataDirectory directory) {
        return ServerProcess.ofClasses(
                PoisonServer.class.getName(),
                List.of(),
                List.of(directory.path().resolve("antidote").toString()),
                directory.path(),
                Map.of(
                        "AP_LOG_LEVEL",
                        "info",
                        "AP_SSRF_ALLOW_LIST",
                        "127.0.0.1",
                        "AP_PROJECT_RATE_LIMITER_ENABLED",
                        "false"));
    }

    private static PublishedFlow publish(ServerProcess server, FlowScript script) {
        return PublishedFlow.create(
                server.api(DEADLINE), script.importOperation("Mill").path("request"));
    }
}
