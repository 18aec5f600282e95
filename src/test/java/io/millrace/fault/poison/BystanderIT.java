package io.millrace.fault.poison;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Long runs of other flows while hostile runs end the server 20 times, each until it is set aside and followed by the next:
 * no other run is set aside, although each of them executes at each end. The simulation is {@code SuspectTrialTest}.
 */
@Slow(Slow.Reason.FAULT)
final class BystanderIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int INNOCENT = 12;
    private static final int KILLS = 20;

    @Test
    void setsOnlyHostileRunsAside_inTwentyKills() throws IOException {
        try (var directory = DataDirectory.prepared();
                var outside = Outside.start()) {
            // given runs in the middle of a call that takes longer than all kills
            var server = start(directory);
            var hostile = publish(
                    server, webhook().piece("step_1", Poison.NAME, Poison.VERSION, Poison.ACTION, Json.object()));
            var innocent = publish(
                    server,
                    webhook().http("step_1", "POST", outside.url("/held")).map("step_2", "{'done':true}"));
            for (var run = 0; run < INNOCENT; run++) {
                innocent.api().post("/v1/webhooks/" + innocent.flowId(), Json.object());
            }
            outside.awaitCalls(INNOCENT);

            // when hostile runs end one server after the other
            for (var kills = 0; kills < KILLS; kills++) {
                var current = server;
                Waiting.until("a hostile run ends the server", DEADLINE, () -> {
                    if (current.isListening() && hasNone(hostile, current)) {
                        begin(hostile, current);
                    }
                    return !current.isAlive();
                });
                if (kills == KILLS - 1) {
                    Files.createFile(directory.path().resolve("antidote"));
                }
                server = restart(directory, server);
            }

            // then the other runs end well when their calls are answered
            try (var last = server) {
                var others = innocent.at(last.api(DEADLINE));
                Waiting.until("the other runs have ended", DEADLINE, () -> {
                    outside.release();
                    return statuses(others).stream().noneMatch(status -> status.matches("RUNNING|QUEUED"));
                });
                assertThat(statuses(others)).hasSize(INNOCENT).containsOnly("SUCCEEDED");
                // The control: suspects were set aside meanwhile, each for more than AP_RUN_CRASH_RECOVERIES_MAX ends.
                assertThat(statuses(hostile.at(last.api(DEADLINE)))).contains("INTERNAL_ERROR");
            }
        }
    }

    /** True if no hostile run is under way; false also while the server does not answer. */
    private static boolean hasNone(PublishedFlow hostile, ServerProcess server) {
        try {
            return statuses(hostile.at(server.api(DEADLINE))).stream()
                    .noneMatch(status -> status.matches("RUNNING|QUEUED"));
        } catch (UncheckedIOException | AssertionError gone) {
            return false;
        }
    }

    private static void begin(PublishedFlow hostile, ServerProcess server) {
        try {
            hostile.at(server.api(DEADLINE)).api().post("/v1/webhooks/" + hostile.flowId(), Json.object());
        } catch (UncheckedIOException | AssertionError ended) {
            assertThat(ended)
                    .as("the run ends the server before its caller has an answer")
                    .isNotNull();
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
                Map.of("AP_LOG_LEVEL", "info", "AP_SSRF_ALLOW_LIST", "127.0.0.1"));
    }

    private static PublishedFlow publish(ServerProcess server, FlowScript script) {
        return PublishedFlow.create(
                server.api(DEADLINE), script.importOperation("Mill").path("request"));
    }
}
