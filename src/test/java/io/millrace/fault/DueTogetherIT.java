package io.millrace.fault;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Large runs that are due at the same time end, although the heap of the server holds only few of them. */
@Slow(Slow.Reason.FAULT)
final class DueTogetherIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int RUNS = 30;
    private static final Map<String, String> SETTINGS =
            Map.of("AP_LOG_LEVEL", "warn", "AP_PROJECT_RATE_LIMITER_ENABLED", "false");
    private static final int PAYLOAD_CHARACTERS = 5_000_000;
    private static final Duration DELAY = Duration.ofMinutes(20);

    @Test
    void allEndWell_whenTheyComeDueTogether() {
        try (var directory = DataDirectory.prepared()) {
            PublishedFlow flow;
            // given paused runs of five megabytes each
            try (var server = start(directory)) {
                var script = webhook()
                        .delay("step_1", (int) DELAY.toSeconds())
                        .map("step_2", "{'length':'{{trigger.output.body.big.length}}'}");
                flow = PublishedFlow.create(
                        server.api(DEADLINE), script.importOperation("Mill").path("request"));
                for (var run = 0; run < RUNS; run++) {
                    var body = Json.object().put("big", "x".repeat(PAYLOAD_CHARACTERS));
                    Waiting.until(
                            "run " + run + " is accepted",
                            DEADLINE,
                            () -> flow.api()
                                            .post("/v1/webhooks/" + flow.flowId(), body)
                                            .status()
                                    == 200);
                }
                Waiting.until("all are paused", DEADLINE, () -> count(flow, "PAUSED") == RUNS);
                server.kill();
                server.exitStatus(DEADLINE);
            }
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());

            // when all are due at the same time, at a server whose clock is ahead by their delay
            try (var next = LaterServer.start(directory, DELAY, SETTINGS)) {
                var again = flow.at(next.api(DEADLINE));

                // then all succeed
                Waiting.until(
                        "all have ended",
                        DEADLINE,
                        () -> statuses(again).stream().noneMatch(status -> status.matches("PAUSED|QUEUED|RUNNING")));
                assertThat(statuses(again)).hasSize(RUNS).containsOnly("SUCCEEDED");
                assertThat(next.isAlive()).isTrue();
            }
        }
    }

    private static long count(PublishedFlow flow, String status) {
        return statuses(flow).stream().filter(status::equals).count();
    }

    private static List<String> statuses(PublishedFlow flow) {
        return flow.api()
                .get("/v1/flow-runs?limit=100&projectId=" + flow.projectId() + "&flowId=" + flow.flowId())
                .body()
                .path("data")
                .valueStream()
                .map(run -> run.path("status").asText())
                .toList();
    }

    private static ServerProcess start(DataDirectory directory) {
        return ServerProcess.ofClasses(directory.path(), SETTINGS);
    }
}
