package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.callable;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A flow is called while no more runs are accepted: its caller was accepted, and must not fail because of other
 * projects.
 */
final class BusySubflowIT {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsLater_whenTooManyRunsAreWaiting(boolean waits) {
        try (var own = Outside.start();
                var others = Outside.start();
                var server = ServerSettings.localCalls()
                        .with("AP_WEBHOOK_BACKLOG_MAX", "3")
                        .with("AP_EVENT_LOOPS", "1")
                        .start()) {
            // given a run before its call, and a full queue
            var owner = server.signUp("ada@example.com", "Ada");
            var child = LiveFlow.publish(
                    owner, callable().http("step_1", "POST", own.url("/child")).returnToCaller("step_2", "{}"));
            var parent = LiveFlow.publish(
                    owner,
                    webhook()
                            .http("step_1", "POST", own.url("/held"))
                            .callFlow("step_2", child.externalId(), "{}", waits)
                            .http("step_3", "POST", own.url("/after")));
            var filler = LiveFlow.publish(owner, webhook().http("step_1", "POST", others.url("/held")));
            assertThat(parent.call(json("{}")).status()).isEqualTo(200);
            own.awaitCalls(1);
            Waiting.until("no more is accepted", () -> filler.call(json("{}")).status() == 429);

            // when the call is refused, the run is taken over, and there is capacity again
            own.release();
            Waiting.until(
                    "it has called in vain",
                    () -> server.count("select count(*) from run where flow_id = $1 and fence = 1", parent.id()) == 0);
            others.release();

            // then
            var run = parent.ended(1);
            assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
            assertThat(child.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(own.paths()).containsOnlyOnce("/held", "/child", "/after");
        }
    }
}
