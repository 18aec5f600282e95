package io.millrace.app;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Nodes that are there for calls or for work alone, and one that leaves. */
final class NodeRoleIT {
    @AutoClose
    private static TestServer calls =
            TestServer.startInRealTime(Map.of("AP_NODE_ROLE", "api", "AP_POSTGRES_HOST", "127.0.0.1"));

    private static TestServer.SignedIn owner = calls.signUp("owner@example.com", "Olga");

    @Test
    void leavesWhatIsDueToANodeThatWorks_andTakesCallsAtTheOther() {
        // Given a run that resumes at a time, and no node that scans for due runs
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 11).map("step_2", "{'done':true}"));
        assertThat(flow.call(Json.object()).status()).isEqualTo(200);
        Waiting.until(
                "it is paused",
                () -> flow.runs().getFirst().path("status").asText().equals("PAUSED"));

        // When one comes
        try (var worker = calls.successor(Map.of("AP_NODE_ROLE", "worker", "AP_POSTGRES_HOST", "127.0.0.1"))) {
            // Then it carries the run on, but takes no calls
            assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(flow.at(worker).call(Json.object()).status()).isEqualTo(404);
            assertThat(worker.anonymous().get("/v1/health").status()).isEqualTo(200);
            Waiting.until(
                    "both are listed with what they are there for",
                    () -> owner.api()
                            .at(worker)
                            .get("/v1/worker-machines")
                            .body()
                            .findValuesAsText("role")
                            .containsAll(List.of("api", "worker")));
        }
    }

    @Test
    void answersEverybody_whileItLeavesAndSaysSo() {
        // Given a node that others are sent to as long as it says that it is healthy
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'done':true}"));
        try (var leaving = calls.successor(Map.of("AP_SHUTDOWN_DRAIN_SECONDS", "3"))) {
            var elsewhere = flow.at(leaving);
            assertThat(elsewhere.callAndWait(Json.object()).status()).isEqualTo(200);

            // When it is told to stop
            var stopped = new AtomicBoolean();
            var stop = CompletableFuture.runAsync(() -> {
                leaving.stopServer();
                stopped.set(true);
            });
            var said = false;
            while (!said) {
                said = leaving.anonymous().get("/v1/health").status() != 200;
                // Then callers still routed there are answered
                assertThat(elsewhere.callAndWait(Json.object()).status()).isEqualTo(200);
            }
            assertThat(stopped).isFalse();
            stop.join();

            // and the other one takes their part
            assertThat(flow.callAndWait(Json.object()).status()).isEqualTo(200);
        }
    }
}
