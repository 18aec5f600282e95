package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Code steps without effects run in the server, and their answers, logs and tests equal those of a worker. */
class CodeInServerIT {
    private static final String SOURCE = """
            export const code = async (inputs: { name: string; items: { price: number; count: number }[] }) => {
              const total = inputs.items.reduce((s, i) => s + i.price * i.count, 0);
              return { total, label: `${inputs.name}: ${total.toFixed(2)}`, missing: inputs['none'] };
            };
            """;
    private static final String INPUT =
            "{'name':'{{trigger.output.body.name}}','items':'{{trigger.output.body.items}}'}";
    private static final String EVENT = "{'name':'Ada','items':[{'price':2.5,'count':2},{'price':0.1,'count':3}]}";
    private static final String UNUSUAL = "{'name':'Ada','items':[{'price':1e300,'count':2}]}";
    private static final String BROKEN = "{'name':'Ada','items':null}";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    @AutoClose
    private static TestServer ofWorkers = ServerSettings.openSignUp()
            .with("AP_CODE_IN_SERVER_ENABLED", "false")
            .startInRealTime();

    private static final TestServer.SignedIn HERE = server.signUp("ada@example.com", "Ada");
    private static final TestServer.SignedIn IN_WORKERS = ofWorkers.signUp("ada@example.com", "Ada");

    private static FlowScript script() {
        return webhook().code("step_1", SOURCE, INPUT).returnJson("step_2", "{'sum':'{{step_1.output}}'}");
    }

    @Test
    void givesTheAnswersAndLogsOfAWorker() {
        var here = LiveFlow.publish(HERE, script());
        var inWorkers = LiveFlow.publish(IN_WORKERS, script());

        for (var event : List.of(EVENT, UNUSUAL, BROKEN)) {
            var answer = here.callAndWait(json(event));
            var expected = inWorkers.callAndWait(json(event));
            assertThat(answer.status()).as(event).isEqualTo(expected.status());
            assertThat(Json.text(answer.body())).as(event).isEqualTo(Json.text(expected.body()));
        }

        var runs = ended(here);
        var expectedRuns = ended(inWorkers);
        for (var index = 0; index < expectedRuns.size(); index++) {
            var run = here.run(runs.get(index).path("id").asText());
            var expected = inWorkers.run(expectedRuns.get(index).path("id").asText());
            assertThat(Json.text(steps(run))).isEqualTo(Json.text(steps(expected)));
            assertThat(run.path("status")).isEqualTo(expected.path("status"));
        }
    }

    private static List<JsonNode> ended(LiveFlow flow) {
        Waiting.until("the runs have ended", () -> flow.runs().stream().allMatch(run -> run.hasNonNull("finishTime")));
        return flow.runs();
    }

    /** Records of the steps without what no two runs share: durations, and headers of the call. */
    private static JsonNode steps(JsonNode run) {
        var steps = (ObjectNode) run.path("steps").deepCopy();
        steps.remove("trigger");
        steps.forEach(step -> ((ObjectNode) step).remove("duration"));
        return steps;
    }

    @Test
    void testsAStepAsAWorkerDoes() {
        assertThat(Json.text(tested(HERE))).isEqualTo(Json.text(tested(IN_WORKERS)));
    }

    private static JsonNode tested(TestServer.SignedIn owner) {
        var flow = LiveFlow.draft(owner, script());
        var operation = Json.object().put("type", "SAVE_SAMPLE_DATA");
        operation
                .putObject("request")
                .put("stepName", "trigger")
                .put("type", "OUTPUT")
                .set("payload", Json.object().set("body", json(EVENT)));
        assertThat(flow.operate(operation).status()).isEqualTo(200);
        var answer = owner.api()
                .post(
                        "/v1/sample-data/test-step",
                        Json.object()
                                .put("projectId", owner.projectId())
                                .put(
                                        "flowVersionId",
                                        owner.api()
                                                .get("/v1/flows/" + flow.id())
                                                .text("/version/id"))
                                .put("stepName", "step_1"));
        assertThat(answer.status()).isEqualTo(200);
        var runId = answer.text("/id");
        Waiting.until("the test has ended", () -> flow.run(runId).hasNonNull("finishTime"));
        return steps(flow.run(runId));
    }

    @Test
    void needsAWorkerOnly_whenItIsOff() {
        LiveFlow.publish(IN_WORKERS, script());
        Waiting.until("a worker is ready", () -> workers(IN_WORKERS) > 0);
    }

    private static double workers(TestServer.SignedIn owner) {
        return owner.api()
                .get("/v1/metrics")
                .body()
                .asText()
                .lines()
                .filter(line -> line.startsWith("millrace_code_workers{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
