package io.millrace.engine.run.journal;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.FlowScript.xs;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Outputs that are stored separately from the log of their run (contract flows-and-engine 15.2); from 1 KB on. */
class RunSlicesIT {
    private static final ServerSettings SETTINGS = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB", "1")
            .with("AP_MAX_FLOW_RUN_LOG_SIZE_MB", "1");

    @AutoClose
    private static TestServer server = SETTINGS.start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    /** Code whose output is a text of this length, so that its JSON has two more characters. */
    private static String text(int length) {
        return "export const code = async () => 'x'.repeat(" + length + ");";
    }

    private static FlowScript lengthOf(FlowScript flow, String name, String reference) {
        return flow.code(
                name, "export const code = async (inputs) => inputs.v.length;", "{'v':'{{" + reference + "}}'}");
    }

    private static JsonNode output(JsonNode run, String step) {
        return run.path("steps").path(step).path("output");
    }

    @Test
    void keepsOnlyOutputsAboveTheThresholdApart() {
        // given
        var flow = LiveFlow.publish(
                owner,
                lengthOf(webhook().code("step_1", text(1022)).code("step_2", text(1023)), "step_3", "step_2.output"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(output(run, "step_1").asText()).hasSize(1022);
        assertThat(run.at("/steps/step_1").has("outputType")).isFalse();
        assertThat(run.at("/steps/step_2/outputType").asText()).isEqualTo("slice");
        assertThat(output(run, "step_2").path("size").asInt()).isEqualTo(1025);
        assertThat(output(run, "step_2").path("fileId").asText()).hasSize(21);
        assertThat(output(run, "step_3").asInt()).isEqualTo(1023);
    }

    @Test
    void servesTheOutputUnderTheReferencesUrl() {
        // given
        var flow = LiveFlow.publish(owner, webhook().code("step_1", text(5000)));

        // when
        var run = flow.run(json("{}"));
        var path = pathOf(output(run, "step_1"));
        var answer = server.anonymous().get(path);

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().asText()).hasSize(5000);
        assertThat(server.anonymous().get(path.substring(0, path.indexOf('?'))).status())
                .isEqualTo(401);
    }

    private static String pathOf(JsonNode reference) {
        var url = reference.path("url").asText();
        return url.substring(url.indexOf("/v1/files/"));
    }

    @Test
    void showsExpressionsTheRealValue_inEveryPlace() {
        // given
        var big =
                "export const code = async () => ({ list: Array.from({ length: 300 }, (_, i) => 'item ' + i), word: 'yes' });";
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", big)
                        .map("step_2", "{'word':'{{step_1.output.word}}'}")
                        .loop(
                                "step_3",
                                "{{step_1.output.list.slice(0, 2)}}",
                                steps().code("step_4", "export const code = async () => 'y'.repeat(3000);")
                                        .map(
                                                "step_5",
                                                "{'n':'{{step_4.output.length}}','i':'{{step_3.output.index}}'}"))
                        .firstMatch(
                                "step_6",
                                Branch.whenEqual(
                                        "B1", "{{step_1.output.word}}", "yes", steps().map("step_7", "{'in':'it'}")),
                                Branch.otherwise(steps()))
                        .map(
                                "step_8",
                                "{'first':'{{step_3.output.iterations[0].step_4.output.length}}','global':'{{(() => { let n = 0; for (const x of step_1.output.list) { n++; } return n; })()}}'}"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).as("%s", run.path("failedStep")).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/outputType").asText()).isEqualTo("slice");
        assertThat(output(run, "step_2").path("word").asText()).isEqualTo("yes");
        assertThat(run.at("/steps/step_3/output/iterations/1/step_4/outputType").asText())
                .isEqualTo("slice");
        assertThat(run.at("/steps/step_3/output/iterations/1/step_5/output")).isEqualTo(json("{'n':3000,'i':2}"));
        assertThat(output(run, "step_7").path("in").asText()).isEqualTo("it");
        assertThat(output(run, "step_8")).isEqualTo(json("{'first':3000,'global':300}"));
    }

    @Test
    void countsTheOriginalSize() {
        // given three outputs that exceed 768 KB together
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", text(300_000))
                        .code("step_2", text(300_000))
                        .code("step_3", text(300_000)));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_3");
        assertThat(run.at("/steps/step_3").has("output")).isFalse();
        assertThat(run.at("/steps/step_3").has("outputType")).isFalse();
        assertThat(run.at("/steps/step_2/outputType").asText()).isEqualTo("slice");
    }

    @Test
    void keepsTheLogOfALoopInOnePiece() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().eachX("step_1", steps().map("step_2", "{'v':'{{step_1.output.item}}'}")));
        var body = xs(500);

        // when
        var run = flow.run(body);

        // then
        assertThat(run.at("/steps/step_1").has("outputType")).isFalse();
        assertThat(output(run, "step_1").path("iterations")).hasSize(500);
        assertThat(run.at("/steps/step_1/output/iterations/7/step_2/output/v").asInt())
                .isEqualTo(7);
    }

    @Test
    void readsOutputsAgain_whenAnotherServerCarriesTheRunOn() {
        // given a run in its second step
        try (var outside = Outside.start()) {
            var first = SETTINGS.startInRealTime();
            var ada = first.signUp("ada@example.com", "Ada");
            var flow = LiveFlow.publish(
                    ada,
                    lengthOf(
                            webhook().code("step_1", text(4000)).http("step_2", "GET", outside.url("/held")),
                            "step_3",
                            "step_1.output"));
            flow.call(json("{}"));
            outside.awaitCalls(1);

            // when
            first.stopServer();
            try (var second = first.successor()) {
                var later = flow.at(second);
                Waiting.until("the run has ended", () -> {
                    outside.release();
                    return later.runs().getFirst().path("status").asText().equals("SUCCEEDED");
                });

                // then
                var run = later.newest();
                assertThat(output(run, "step_3").asInt()).isEqualTo(4000);
            }
            first.close();
        }
    }

    @Test
    void removesSlices_whenTheRunsDataExpires() {
        // given
        try (var other = SETTINGS.start()) {
            var ada = other.signUp("ada@example.com", "Ada");
            var flow = LiveFlow.publish(ada, webhook().code("step_1", text(4000)));
            var path = pathOf(output(flow.run(json("{}")), "step_1"));
            assertThat(other.anonymous().get(path).status()).isEqualTo(200);

            // when
            other.clock().advance(Duration.ofDays(32));

            // then
            assertThat(other.anonymous().get(path).status()).isEqualTo(401);
        }
    }
}
