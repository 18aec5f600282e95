package io.millrace.engine.run.plan;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of steps and of flows, and manual starts (contract flows-and-engine 5.8, 5.9, 6.7). */
class StepTestIT {
    private static final ServerSettings SETTINGS = ServerSettings.openSignUpAndLocalCalls();

    @AutoClose
    private static Outside outside = Outside.start();

    @AutoClose
    private static TestServer server = SETTINGS.start();

    private static TestServer.SignedIn owner =
            server.signUp("ada@example.com", "Ada").inTeam("Mill");

    /** trigger > step_1 > step_2(step_3) > step_4, with samples of the trigger and of step_1 */
    private static LiveFlow flow() {
        var body = steps().code("step_3", "export const code = async (inputs) => inputs.v * 10;", """
                {'v':'{{step_2.output.item}}','n':'{{trigger.output.body.n}}','i':'{{step_2.output.index}}'}
                """);
        var flow = LiveFlow.draft(
                owner,
                webhook()
                        .map("step_1", "{'xs':'{{trigger.output.body.xs}}'}")
                        .loop("step_2", "{{step_1.output.xs}}", body)
                        .firstMatch(
                                "step_4",
                                Branch.whenEqual("B1", "{{step_1.output.xs.length}}", "2", steps().map("step_5", "{}")),
                                Branch.otherwise(steps())));
        sample(flow, "trigger", "{'body':{'n':7}}");
        sample(flow, "step_1", "{'xs':[5,6]}");
        return flow;
    }

    private static void sample(LiveFlow flow, String stepName, String payload) {
        var operation = Json.object().put("type", "SAVE_SAMPLE_DATA");
        var request = operation.putObject("request").put("stepName", stepName).put("type", "OUTPUT");
        request.set("payload", json(payload));
        assertThat(flow.operate(operation).status()).isEqualTo(200);
    }

    private static String draftOf(LiveFlow flow) {
        return owner.api().get("/v1/flows/" + flow.id()).text("/version/id");
    }

    private static ObjectNode request(LiveFlow flow, String stepName) {
        return Json.object()
                .put("projectId", owner.projectId())
                .put("flowVersionId", draftOf(flow))
                .put("stepName", stepName);
    }

    /** The run of a test, after it has ended. */
    private static JsonNode tested(LiveFlow flow, String stepName) {
        var answer = owner.api().post("/v1/sample-data/test-step", request(flow, stepName));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/stepNameToTest")).isEqualTo(stepName);
        return ended(flow, answer.text("/id"));
    }

    private static JsonNode ended(LiveFlow flow, String runId) {
        Waiting.until("the test has ended", () -> flow.run(runId).hasNonNull("finishTime"));
        return flow.run(runId);
    }

    private static Answer sampleOf(LiveFlow flow, String stepName, String type) {
        return owner.api()
                .get("/v1/sample-data?projectId=" + owner.projectId() + "&flowId=" + flow.id() + "&flowVersionId="
                        + draftOf(flow) + "&stepName=" + stepName + "&type=" + type);
    }

    @Test
    void executesOneStep_withTheSamplesOfTheOthers() {
        // Given
        var flow = flow();

        // When
        var run = tested(flow, "step_3");

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("environment").asText()).isEqualTo("TESTING");
        assertThat(run.path("triggeredBy").asText()).isEqualTo(owner.userId());
        assertThat(run.at("/steps/step_3/input")).isEqualTo(json("{'v':5,'n':7,'i':1}"));
        assertThat(run.at("/steps/step_3/output").asInt()).isEqualTo(50);
        assertThat(run.path("steps").properties()).extracting(Map.Entry::getKey).containsExactly("trigger", "step_3");
        assertThat(run.path("stepsCount").asInt()).isEqualTo(1);
        assertThat(flow.runs()).isEmpty();
        assertThat(sampleOf(flow, "step_3", "OUTPUT").body()).isEqualTo(json("50"));
        assertThat(sampleOf(flow, "step_3", "INPUT").body()).isEqualTo(json("{'v':5,'n':7,'i':1}"));
        assertThat(sampleOf(flow, "step_1", "OUTPUT").body()).isEqualTo(json("{'xs':[5,6]}"));
    }

    @Test
    void entersOnlyTheFirstIteration_ofATestedLoop() {
        // When
        var run = tested(flow(), "step_2");

        // Then
        assertThat(run.at("/steps/step_2/output")).isEqualTo(json("{'item':5,'index':1,'iterations':[{}]}"));
        assertThat(run.at("/steps/step_2/input/items")).isEqualTo(json("[5,6]"));
    }

    @Test
    void onlyDecides_inATestedRouter() {
        // When
        var run = tested(flow(), "step_4");

        // Then
        assertThat(run.at("/steps/step_4/output/branches/0/evaluation").asBoolean())
                .isTrue();
        assertThat(run.path("steps").has("step_5")).isFalse();
    }

    @Test
    void failsImmediately_withAnyOptions() {
        // Given
        var throwing = "export const code = async () => { throw new Error('boom'); };";
        var flow = LiveFlow.draft(
                owner,
                webhook().code("step_1", throwing).retrying().continuing().skipped());
        sample(flow, "step_1", "'before'");

        // When
        var run = tested(flow, "step_1");

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.at("/failedStep/message").asText()).contains("boom");
        assertThat(sampleOf(flow, "step_1", "OUTPUT").body().asText()).isEqualTo("before");
    }

    @Test
    void leavesTheItemOut_whenTheLoopAroundHasNone() {
        // Given
        var flow = LiveFlow.draft(
                owner,
                webhook()
                        .loop(
                                "step_1",
                                "{{trigger.output.nothing}}",
                                steps().map("step_2", "{'v':'{{step_1.output.item}}','i':'{{step_1.output.index}}'}")));

        // When
        var run = tested(flow, "step_2");

        // Then
        assertThat(run.at("/steps/step_2/output")).isEqualTo(json("{'v':'','i':1}"));
    }

    @Test
    void testsAWholeFlow_beginningWithTheTriggersSample() {
        // Given
        var flow = flow();
        var body = request(flow, "").without("stepName");

        // When
        var answer = owner.api().post("/v1/flow-runs/test", body);

        // Then
        assertThat(answer.status()).isEqualTo(200);
        var run = ended(flow, answer.text("/id"));
        assertThat(run.path("environment").asText()).isEqualTo("TESTING");
        assertThat(run.path("triggeredBy").asText()).isEqualTo(owner.userId());
        assertThat(run.has("stepNameToTest")).isFalse();
        assertThat(run.at("/steps/trigger/output")).isEqualTo(json("{'body':{'n':7}}"));
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void startsAProductionRunByHand_ofAnEnabledFlowOnly() {
        // Given
        var flow = LiveFlow.draft(owner, webhook().map("step_1", "{'a':'{{trigger.output.a}}'}"));
        var body = Json.object().put("projectId", owner.projectId()).put("flowId", flow.id());
        assertThat(owner.api().post("/v1/flow-runs", body).status()).isEqualTo(409);
        flow.publish();

        // When
        var answer = owner.api().post("/v1/flow-runs", body.deepCopy().set("payload", json("{'a':1}")));
        var empty = owner.api().post("/v1/flow-runs", body);

        // Then
        var run = ended(flow, answer.text("/id"));
        assertThat(run.path("environment").asText()).isEqualTo("PRODUCTION");
        assertThat(run.path("triggeredBy").asText()).isEqualTo(owner.userId());
        assertThat(run.at("/steps/step_1/output/a").asInt()).isEqualTo(1);
        assertThat(ended(flow, empty.text("/id")).at("/steps/trigger/output")).isEqualTo(json("{}"));
        assertThat(flow.runs()).hasSize(2);
    }

    @Test
    void remainsATest_whenAnotherServerCarriesItOn() {
        // Given
        try (var first = SETTINGS.start()) {
            var ada = first.signUp("ada@example.com", "Ada");
            var held = webhook()
                    .map("step_1", "{}")
                    .http("step_2", "POST", outside.url("/held"))
                    .map("step_3", "{}");
            var flow = LiveFlow.draft(ada, held);
            var before = outside.calls().size();
            var body = Json.object()
                    .put("projectId", ada.projectId())
                    .put(
                            "flowVersionId",
                            ada.api().get("/v1/flows/" + flow.id()).text("/version/id"))
                    .put("stepName", "step_2");
            var runId = ada.api().post("/v1/sample-data/test-step", body).text("/id");
            outside.awaitCalls(before + 1);

            // When
            first.stopServer();
            try (var second = first.successor()) {
                outside.awaitCalls(before + 2);
                outside.release();
                var run = ended(flow.at(second), runId);

                // Then
                assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
                assertThat(run.path("stepNameToTest").asText()).isEqualTo("step_2");
                assertThat(run.path("steps").has("step_1")).isFalse();
                assertThat(run.path("steps").has("step_3")).isFalse();
            }
        }
    }

    @Test
    void refusesWhoMayNot_andWhatIsNotThere() {
        // Given
        var flow = flow();
        var step = request(flow, "step_1");
        var whole = step.deepCopy().without("stepName");
        var manual = Json.object().put("projectId", owner.projectId()).put("flowId", flow.id());
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);
        server.join(vera, owner.projectId(), "Viewer");
        var requests = Map.of(
                "/v1/sample-data/test-step", step, "/v1/flow-runs/test", (ObjectNode) whole, "/v1/flow-runs", manual);

        // Then
        requests.forEach((path, body) -> {
            assertThat(vera.api().post(path, body).text("/code")).isEqualTo("PERMISSION_DENIED");
            assertThat(server.anonymous().post(path, body).status()).isEqualTo(403);
            assertThat(owner.api().post(path, json("{}")).status()).isEqualTo(400);
            assertThat(vera.api()
                            .post(path, body.deepCopy().put("projectId", vera.projectId()))
                            .status())
                    .isEqualTo(404);
        });
        for (var changed : List.of(
                step.deepCopy().put("stepName", "step_99"), step.deepCopy().put("flowVersionId", Ids.next()))) {
            assertThat(owner.api().post("/v1/sample-data/test-step", changed).status())
                    .isEqualTo(404);
        }
        assertThat(owner.api()
                        .post("/v1/sample-data/test-step", step.deepCopy().put("stepName", "trigger"))
                        .status())
                .isEqualTo(400);
    }
}
