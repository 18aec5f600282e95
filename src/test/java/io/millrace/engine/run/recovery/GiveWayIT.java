package io.millrace.engine.run.recovery;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.Test;

/** Runs that together exceed the memory for runs: they yield, and continue one after another. */
class GiveWayIT {
    @Test
    void endWell_andDoNothingTwice() {
        try (var outside = Outside.start();
                var server = ServerSettings.openSignUpAndLocalCalls()
                        .with("AP_RUN_MEMORY_MAX_MB", "8")
                        .with("AP_PROJECT_RATE_LIMITER_ENABLED", "false")
                        .start()) {
            // given two runs of half the memory each, that will need more than all of it
            var flow = LiveFlow.publish(
                    server.signUp("ada@example.com", "Ada"),
                    webhook()
                            .http("step_1", "POST", outside.url("/held"))
                            .map("step_2", "{'copy':'{{trigger.output.body.big}}'}")
                            .http("step_3", "POST", outside.url("/after"))
                            .map("step_4", "{'length':'{{step_2.output.copy.length}}'}"));
            var body = Json.object().put("big", "x".repeat(270_000));
            assertThat(flow.call(body).status()).isEqualTo(200);
            assertThat(flow.call(body).status()).isEqualTo(200);
            outside.awaitCalls(2);

            // When
            outside.release();
            Waiting.until("both have ended", () -> flow.runs().stream().allMatch(run -> run.hasNonNull("finishTime")));

            // Then
            assertThat(flow.runs()).hasSize(2).allSatisfy(run -> {
                assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
                var whole = flow.run(run.path("id").asText());
                assertThat(whole.at("/steps/step_4/output/length").asInt()).isEqualTo(270_000);
            });
            assertThat(outside.paths()).containsExactly("/held", "/held", "/after", "/after");
            assertThat(server.count("select count(*) from run")).isZero();
        }
    }
}
