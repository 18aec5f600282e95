package io.millrace.run;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits of log and memory: 1 MB of log, 32 MB of memory for code. */
class RunLimitsIT {
    private static TestServer server;
    private static TestServer.SignedIn owner;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of(
                "AP_ALLOW_OPEN_SIGN_UP",
                "true",
                "AP_MAX_FLOW_RUN_LOG_SIZE_MB",
                "1",
                "AP_SANDBOX_MEMORY_LIMIT",
                "32768"));
        owner = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void endsLogSizeExceeded_whenAnOutputPassesTheLimit() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => 'x'.repeat(790000);")
                        .continuing()
                        .map("step_2", "{}"));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.at("/failedStep/message").asText()).contains("1 MB");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1").has("output")).isFalse();
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    @Test
    void succeeds_whenOutputsStayBelowTheLimit() {
        // Given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async () => 'x'.repeat(770000);"));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void answersTheCallerThatTheFlowFailed_whenTheLogIsTooLarge() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => 'x'.repeat(790000);")
                        .returnJson("step_2", "{}"));

        // When
        var answer = flow.callAndWait(json("{}"));

        // Then
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.text("/message")).isEqualTo("The flow has failed and there is no response returned");
    }

    @Test
    void endsLogSizeExceeded_whenThePayloadPassesTheLimit() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var body = ((ObjectNode) json("{}")).put("big", "x".repeat(800_000));

        // When
        var run = flow.run(body);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("trigger");
    }

    @Test
    void boundsIterations_evenEmptyOnes() {
        // Given: a million iterations of loops within loops
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop(
                                "step_1",
                                "{{trigger.output.body.xs}}",
                                steps().loop("step_2", "{{trigger.output.body.xs}}", steps())));
        var body = (ObjectNode) json("{}");
        var items = body.putArray("xs");
        for (var item = 0; item < 1000; item++) {
            items.add(item);
        }

        // When
        var run = flow.run(body);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
    }

    @Test
    void endsMemoryLimitExceeded_whenCodeHoldsTooMuch() {
        // Given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", """
                                export const code = async () => {
                                  const held = [];
                                  while (true) held.push(new Array(10000).fill(held.length));
                                };
                                """).continuing().map("step_2", "{}"));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("MEMORY_LIMIT_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.path("steps").has("step_2")).isFalse();
    }
}
