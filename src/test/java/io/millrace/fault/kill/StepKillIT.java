package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import io.millrace.support.outside.Outside.Received;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Steps in flight when their server is killed: they are executed again with the same key, or fail if their author has
 * chosen so. A start that its caller repeats after the kill, because it got no response, starts no second run.
 */
@Slow(Slow.Reason.FAULT)
final class StepKillIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(40);

    @Test
    void repeatsTheStepOrFailsIt_asItsAuthorWants_andStartsNothingTwice() {
        try (var directory = DataDirectory.prepared();
                var outside = Outside.start()) {
            PublishedFlow repeating;
            PublishedFlow failing;
            PublishedFlow continuing;
            CompletableFuture<Answer> unanswered;
            // given three runs in the same kind of step, one of them started with a caller's key
            try (var server = start(directory)) {
                var api = server.api(START_DEADLINE);
                repeating = publish(api, call(outside, "repeating").returnJson("step_2", "{'done':true}"));
                failing = publish(api, call(outside, "failing").failingOnCrash().map("step_2", "{}"));
                continuing = publish(
                        api,
                        call(outside, "continuing")
                                .failingOnCrash()
                                .continuing()
                                .map("step_2", "{'why':'{{step_1.error.message}}'}"));
                unanswered = callOnce(api, repeating);
                api.post("/v1/webhooks/" + failing.flowId(), json("{}"));
                api.post("/v1/webhooks/" + continuing.flowId(), json("{}"));
                outside.awaitCalls(3);

                // when the server is killed
                server.kill();
                server.exitStatus(STOP_DEADLINE);
            }
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());
            assertThat(unanswered).failsWithin(STOP_DEADLINE);

            // then the next server repeats only repeatable steps, and the caller gets the response of its run
            try (var next = start(directory)) {
                var api = next.api(START_DEADLINE);
                var again = callOnce(api, repeating);
                outside.awaitCalls(4);
                outside.release();
                assertThat(again.join().body()).isEqualTo(json("{'done':true}"));
                assertThat(callOnce(api, repeating).join().body()).isEqualTo(json("{'done':true}"));
                assertThat(ended(repeating.at(api)).path("status").asText()).isEqualTo("SUCCEEDED");
                var failed = ended(failing.at(api));
                assertThat(failed.path("status").asText()).isEqualTo("FAILED");
                assertThat(failed.at("/failedStep/name").asText()).isEqualTo("step_1");
                assertThat(failed.at("/steps/step_1/errorMessage").asText()).contains("server ended during this step");
                var continued = ended(continuing.at(api));
                assertThat(continued.path("status").asText()).isEqualTo("SUCCEEDED");
                assertThat(continued.at("/steps/step_2/output/why").asText()).contains("server ended during this step");
                assertThat(outside.paths())
                        .containsExactlyInAnyOrder(
                                "/held/repeating", "/held/failing", "/held/continuing", "/held/repeating");
                assertThat(outside.calls().stream()
                                .filter(call -> call.path().equals("/held/repeating"))
                                .map(Received::idempotencyKey)
                                .distinct())
                        .hasSize(1)
                        .doesNotContainNull();
            }
        }
    }

    private static FlowScript call(Outside outside, String name) {
        return webhook().http("step_1", "POST", outside.url("/held/" + name));
    }

    private static CompletableFuture<Answer> callOnce(ApiClient api, PublishedFlow flow) {
        return api.sendAsync(
                "POST", "/v1/webhooks/" + flow.flowId() + "/sync", Map.of("Idempotency-Key", "only-once"), "");
    }

    private static ServerProcess start(DataDirectory directory) {
        var settings = Map.of("AP_LOG_LEVEL", "warn", "AP_SSRF_ALLOW_LIST", "127.0.0.1");
        return ServerProcess.ofClasses(directory.path(), settings);
    }

    private static PublishedFlow publish(ApiClient api, FlowScript script) {
        return PublishedFlow.create(api, script.importOperation("Mill").path("request"));
    }

    /** The only run of a flow, with its steps, after it has ended. */
    private static JsonNode ended(PublishedFlow flow) {
        Waiting.until(
                "the only run has ended",
                () -> flow.runs().size() == 1
                        && !flow.runs().getFirst().path("finishTime").isNull());
        return flow.api()
                .get("/v1/flow-runs/" + flow.runs().getFirst().path("id").asText())
                .body();
    }
}
