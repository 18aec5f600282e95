package io.millrace.engine.run.shard;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.FlowScript.xs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs that take longer than two seconds. */
class RunTimeoutIT {
    @AutoClose
    private static Outside outside = Outside.start();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_FLOW_TIMEOUT_SECONDS", "2")
            .with("AP_MAX_FLOW_RUN_LOG_SIZE_MB", "8")
            .start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void endsTimeout_whenCodeDoesNotEnd() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => { while (true) {} };")
                        .continuing());

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("TIMEOUT");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("AP_FLOW_TIMEOUT_SECONDS");
    }

    @Test
    void endsTimeout_whenAnExpressionDoesNotEnd() {
        // given an expression beyond the grammar, as an input, as a loop's items and in a router
        var endless = "{{(() => { while (true) {} })()}}";
        var asInput = LiveFlow.publish(
                owner, webhook().map("step_1", "{'x':'" + endless + "'}").map("step_2", "{}"));
        var asItems = LiveFlow.publish(owner, webhook().loop("step_1", endless, steps()));
        var asCondition =
                LiveFlow.publish(owner, webhook().firstMatch("step_1", Branch.whenEqual("B", endless, "a", steps())));

        // when
        for (var flow : List.of(asInput, asItems, asCondition)) {
            flow.call(json("{}"));
        }

        // then
        for (var flow : List.of(asInput, asItems, asCondition)) {
            var run = flow.ended(1);
            assertThat(run.path("status").asText()).isEqualTo("TIMEOUT");
            assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
            assertThat(run.path("steps").has("step_2")).isFalse();
        }
    }

    @Test
    void endsTimeout_whenDelaysAddUp() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .delay("step_1", 1)
                        .delay("step_2", 1)
                        .delay("step_3", 1)
                        .map("step_4", "{}"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("TIMEOUT");
        assertThat(run.path("steps").has("step_4")).isFalse();
    }

    @Test
    void countsNoPause() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().delay("step_1", 1).delay("step_2", 3600).delay("step_3", 1));
        flow.call(json("{}"));
        Waiting.until(
                "the run is paused",
                () -> flow.runs().stream()
                        .anyMatch(run -> run.path("status").asText().equals("PAUSED")));

        // when
        server.clock().advance(Duration.ofHours(1));
        var run = flow.ended(1);

        // then two seconds of waiting in memory, which one execution would not have survived
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void endsTimeout_whenTheOutsideDoesNotAnswer() {
        // given
        var flow = LiveFlow.publish(owner, webhook().http("step_1", "GET", outside.url("/held")));

        // when
        var run = flow.run(json("{}"));

        // then the request's own deadline ends with the run's
        assertThat(run.path("status").asText()).isIn("TIMEOUT", "FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
    }

    @Test
    void endsTimeout_whenPureStepsNeverEnd() {
        // given a hundred million iterations that never leave the event loop
        var body = xs(10_000);
        var branch = Branch.whenEqual("B", "a", "a", steps());
        var inner = steps().eachX("step_2", steps().firstMatch("step_3", branch));
        var flow = LiveFlow.publish(owner, webhook().eachX("step_1", inner));

        // when
        var run = flow.run(body);

        // then
        assertThat(run.path("status").asText()).isIn("TIMEOUT", "LOG_SIZE_EXCEEDED");
    }
}
