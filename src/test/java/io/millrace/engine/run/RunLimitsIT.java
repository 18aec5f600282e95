package io.millrace.engine.run;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.FlowScript.xs;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Limits of log and memory: 1 MB of log, 32 MB of memory for code. */
class RunLimitsIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_MAX_FLOW_RUN_LOG_SIZE_MB", "1")
            .with("AP_SANDBOX_MEMORY_LIMIT", "32768")
            .start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void endsLogSizeExceeded_whenAnOutputPassesTheLimit() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => 'x'.repeat(790000);")
                        .continuing()
                        .map("step_2", "{}"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.at("/failedStep/message").asText()).contains("1 MB");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1").has("output")).isFalse();
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    @Test
    void succeeds_whenOutputsStayBelowTheLimit() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async () => 'x'.repeat(770000);"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void answersTheCallerThatTheFlowFailed_whenTheLogIsTooLarge() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => 'x'.repeat(790000);")
                        .returnJson("step_2", "{}"));

        // when
        var answer = flow.callAndWait(json("{}"));

        // then
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.text("/message")).isEqualTo("The flow has failed and there is no response returned");
    }

    @Test
    void endsLogSizeExceeded_whenThePayloadPassesTheLimit() {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var body = ((ObjectNode) json("{}")).put("big", "x".repeat(800_000));

        // when
        var run = flow.run(body);

        // then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("trigger");
    }

    @Test
    void boundsIterations_evenEmptyOnes() {
        // given a million iterations of nested loops
        var flow = LiveFlow.publish(owner, webhook().eachX("step_1", steps().eachX("step_2", steps())));
        var body = xs(1000);

        // when
        var run = flow.run(body);

        // then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
    }

    @Test
    void endsMemoryLimitExceeded_whenCodeHoldsTooMuch() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", """
                                export const code = async () => {
                                  const held = [];
                                  while (true) held.push(new Uint8Array(500000));
                                };
                                """).continuing().map("step_2", "{}"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("MEMORY_LIMIT_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    @Test
    void endsMemoryLimitExceeded_whenAnExpressionHoldsTooMuch() {
        // given an expression beyond the grammar in a step that continues on failure
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map(
                                "step_1",
                                "{'x':'{{(() => { const held = []; for (;;) held.push(new Uint8Array(500000)); })()}}'}")
                        .continuing()
                        .map("step_2", "{}"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("MEMORY_LIMIT_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    /** Long code has the lowest priority, also relative to other tests on this machine. */
    private static final Duration PATIENCE_WITH_CODE = Duration.ofMinutes(3);

    @Test
    void answersItsNeighbours_whileBombsEnd() {
        // given
        var endless = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async () => { while (true) {} };"));
        var hungry = LiveFlow.publish(owner, webhook().code("step_1", """
                                export const code = async () => {
                                  const held = [];
                                  while (true) held.push(new Uint8Array(500000));
                                };
                                """));
        var neighbour = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'doubled':'{{trigger.output.body.n * 2}}'}")
                        .returnJson("step_2", "{'doubled':'{{step_1.output.doubled}}'}"));

        // when
        endless.call(json("{}"));
        hungry.call(json("{}"));

        // then every call gets the right response, while one bomb occupies its worker and the other crashes its own
        var calls = new AtomicInteger();
        Waiting.until("the memory has run out", PATIENCE_WITH_CODE, () -> {
            var n = calls.incrementAndGet();
            var answer = neighbour.callAndWait(json("{'n':" + n + "}"));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(json("{'doubled':" + 2 * n + "}"));
            return n >= 20 && hasEnded(hungry);
        });
        assertThat(hungry.ended(1).path("status").asText()).isEqualTo("MEMORY_LIMIT_EXCEEDED");
        assertThat(hasEnded(endless)).isFalse();
    }

    private static boolean hasEnded(LiveFlow flow) {
        return flow.runs().stream().allMatch(run -> run.hasNonNull("finishTime"));
    }

    /** Bytes of a log that is exactly full: 1 MB without the headroom. */
    private static final long FULL = 768 * 1024;

    /** A first step that fills the log up to this many bytes, including the trigger of the event. */
    private static FlowScript filling(long bytes) {
        var probe = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var triggerBytes = JsonSize.of(probe.run(json("{}")).at("/steps/trigger/output"));
        var length = bytes - triggerBytes - JsonSize.ofText("step_1") - 2 - 2 - 64;
        return webhook().code("step_1", "export const code = async () => 'x'.repeat(" + length + ");");
    }

    @Test
    void allowsExactlyTheLimit_andNotAByteMore() {
        // when
        var full = LiveFlow.publish(owner, filling(FULL)).run(json("{}"));
        var over = LiveFlow.publish(owner, filling(FULL + 1)).run(json("{}"));

        // then
        assertThat(full.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(over.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(over.at("/failedStep/name").asText()).isEqualTo("step_1");
    }

    @Test
    void checksLoopsAndRoutersToo() {
        // when
        var loop = LiveFlow.publish(owner, filling(FULL).loop("step_2", "{{[]}}", steps()))
                .run(json("{}"));
        var router = LiveFlow.publish(owner, filling(FULL).firstMatch("step_2", FlowScript.Branch.otherwise(steps())))
                .run(json("{}"));

        // then
        assertThat(List.of(loop, router)).allSatisfy(run -> {
            assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
            assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
            assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
            assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("FAILED");
            assertThat(run.at("/steps/step_2").has("output")).isFalse();
        });
    }

    @Test
    void refusesNewRuns_whileLiveRunsTakeTheMemory() {
        // given a run whose payload takes more than the server's 1 MB for runs
        try (var outside = Outside.start();
                var small = ServerSettings.localCalls()
                        .with("AP_RUN_MEMORY_MAX_MB", "1")
                        .start()) {
            var ada = small.signUp("ada@example.com", "Ada");
            var slow = LiveFlow.publish(ada, webhook().http("step_1", "GET", outside.url("/held")));
            var quick = LiveFlow.publish(ada, webhook().returnJson("step_1", "{'done':true}"));
            slow.call(((ObjectNode) json("{}")).put("big", "x".repeat(200_000)));
            outside.awaitCalls(1);

            // when
            var refused = quick.callAndWait(json("{}"));

            // then
            assertThat(refused.status()).isEqualTo(429);
            outside.release();
            slow.ended(1);
            assertThat(quick.callAndWait(json("{}")).status()).isEqualTo(200);
        }
    }
}
