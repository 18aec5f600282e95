package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.fault.LaterServer;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Paused runs survive their server: one waits for a link, and one is due while no server runs. */
@Slow(Slow.Reason.FAULT)
final class PausedKillIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(40);
    private static final Duration DELAY = Duration.ofMinutes(20);
    private static final Map<String, String> SETTINGS = Map.of("AP_LOG_LEVEL", "warn");

    @Test
    void resumesAtTheNextServer_whenItsServerIsKilled() {
        try (var directory = DataDirectory.prepared()) {
            PublishedFlow delayed;
            PublishedFlow approved;
            // given a run that waits for a time and one that waits for a link
            try (var server = ServerProcess.ofClasses(directory.path(), SETTINGS)) {
                var api = server.api(START_DEADLINE);
                delayed = publish(
                        server,
                        webhook().delay("step_1", (int) DELAY.toSeconds()).map("step_2", "{'done':true}"));
                approved = publish(server, approval());
                api.post("/v1/webhooks/" + delayed.flowId(), Json.object());
                api.post("/v1/webhooks/" + approved.flowId(), Json.object());
                awaitStatus(delayed, "PAUSED");
                awaitStatus(approved, "PAUSED");

                // when the server is killed, and the time passes before the next one starts
                server.kill();
                server.exitStatus(STOP_DEADLINE);
            }
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());

            // then the next server resumes both
            try (var next = LaterServer.start(directory, DELAY, SETTINGS)) {
                var api = next.api(START_DEADLINE);
                var first = awaitStatus(delayed.at(api), "SUCCEEDED");
                assertThat(first.at("/steps/step_2/output/done").asBoolean()).isTrue();
                var paused = awaitStatus(approved.at(api), "PAUSED");
                var link = URI.create(
                        paused.at("/steps/step_1/output/approvalLink").asText());
                api.post(link.getRawPath().replaceFirst("^/api", "") + "?" + link.getRawQuery(), Json.object());
                var second = awaitStatus(approved.at(api), "SUCCEEDED");
                assertThat(second.at("/steps/step_2/output/approved").asBoolean())
                        .isTrue();
                assertThat(second.at("/steps/step_1")).isEqualTo(paused.at("/steps/step_1"));
            }
        }
    }

    private static FlowScript approval() {
        return webhook()
                .piece("step_1", "@activepieces/piece-approval", "0.1.13", "create_approval_links", Json.object())
                .piece("step_2", "@activepieces/piece-approval", "0.1.13", "wait_for_approval", Json.object());
    }

    private static PublishedFlow publish(ServerProcess server, FlowScript script) {
        var request = script.importOperation("Mill").path("request");
        return PublishedFlow.create(server.api(START_DEADLINE), request);
    }

    /** The only run of a flow, with its steps, after it has reached the status. */
    private static JsonNode awaitStatus(PublishedFlow flow, String status) {
        Waiting.until(
                "the run is " + status,
                () -> newest(flow).path("status").asText().equals(status));
        return flow.api()
                .get("/v1/flow-runs/" + newest(flow).path("id").asText())
                .body();
    }

    private static JsonNode newest(PublishedFlow flow) {
        return flow.api()
                .get("/v1/flow-runs?projectId=" + flow.projectId() + "&flowId=" + flow.flowId())
                .body()
                .path("data")
                .path(0);
    }
}
