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

/** Nodes for calls only or for work only, and a node that is stopped. */
final class NodeRoleIT {
    @AutoClose
    private static TestServer calls =
            TestServer.startInRealTime(Map.of("AP_NODE_ROLE", "api", "AP_POSTGRES_HOST", "127.0.0.1"));

    private static TestServer.SignedIn owner = calls.signUp("owner@example.com", "Olga");

    @Test
    void leavesWhatIsDueToANodeThatWorks_andTakesCallsAtTheOther() {
        // given a run that resumes at a time, and no node that scans for due runs
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 11).map("step_2", "{'done':true}"));
        assertThat(flow.call(Json.object()).status()).isEqualTo(200);
        Waiting.until(
                "it is paused",
                () -> flow.runs().getFirst().path("status").asText().equals("PAUSED"));

        // when one starts
        try (var worker = calls.successor(Map.of("AP_NODE_ROLE", "worker", "AP_POSTGRES_HOST", "127.0.0.1"))) {
            // then it continues the run, but accepts no calls
            assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(flow.at(worker).call(Json.object()).status()).isEqualTo(404);
            assertThat(worker.anonymous().get("/v1/health").status()).isEqualTo(200);
            Waiting.until(
                    "both are listed with their roles",
                    () -> owner.api()
                            .at(worker)
                            .get("/v1/worker-machines")
                            .body()
                            .findValuesAsText("role")
                            .containsAll(List.of("api", "worker")));
        }
    }

    @Test
    void answersAllCalls_whileItDrainsAndReportsNotReady() {
        // given a node that gets calls while its health check succeeds
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'done':true}"));
        try (var leaving = calls.successor(Map.of("AP_SHUTDOWN_DRAIN_SECONDS", "3"))) {
            var elsewhere = flow.at(leaving);
            assertThat(elsewhere.callAndWait(Json.object()).status()).isEqualTo(200);

            // when it gets a SIGTERM
            var stopped = new AtomicBoolean();
            var stop = CompletableFuture.runAsync(() -> {
                leaving.stopServer();
                stopped.set(true);
            });
            var said = false;
            while (!said) {
                said = leaving.anonymous().get("/v1/health").status() != 200;
                // then calls that are still routed there are answered
                assertThat(elsewhere.callAndWait(Json.object()).status()).isEqualTo(200);
            }
            assertThat(stopped).isFalse();
            stop.join();

            // and the other node takes over its work
            assertThat(flow.callAndWait(Json.object()).status()).isEqualTo(200);
        }
    }
}
