package io.millrace.engine.run;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.FlowScript.xs;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Complete runs as read by their owner: the rows of contract flows-and-engine 34.6. */
class RunIT {
    private static final String RETURN_INPUTS = "export const code = async (inputs) => inputs;";
    private static final String TIMES_TEN = "export const code = async (inputs) => inputs.v * 10;";

    private static final String FAIL_AT_TWO = """
            export const code = async (inputs) => {
              if (inputs.v === 2) throw new Error('boom');
              return inputs.v * 10;
            };
            """;

    private static final String THROW = "export const code = async () => { throw new Error('boom'); };";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    /** trigger > step_1 > step_2(step_3) > step_4[-/-] */
    private static FlowScript flowA(String code, boolean continuing) {
        var body = steps().code("step_3", code, "{'v':'{{step_2.output.item}}'}");
        return webhook()
                .code("step_1", RETURN_INPUTS, "{'xs':'{{trigger.output.body.xs}}'}")
                .loop("step_2", "{{step_1.output.xs}}", continuing ? body.continuing() : body)
                .firstMatch("step_4", Branch.whenEqual("B1", "a", "b", steps()), Branch.otherwise(steps()));
    }

    @Test
    void recordsEveryStep() {
        // Given
        var flow = LiveFlow.publish(owner, flowA(TIMES_TEN, false));

        // When
        var run = flow.run(json("{'xs':[1,2]}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("stepsCount").asInt()).isEqualTo(3);
        assertThat(run.path("environment").asText()).isEqualTo("PRODUCTION");
        assertThat(run.path("flowVersion").path("displayName").asText()).isEqualTo("Mill");
        assertThat(run.hasNonNull("finishTime")).isTrue();
        var steps = (ObjectNode) withoutDurations(run.path("steps"));
        assertThat(steps.at("/trigger/output/body")).isEqualTo(json("{'xs':[1,2]}"));
        steps.remove("trigger");
        assertThat(((ObjectNode) steps.path("step_4")).remove("input").has("branches"))
                .isTrue();
        assertThat(steps).isEqualTo(json("""
                {'step_1':{'type':'CODE','status':'SUCCEEDED','input':{'xs':[1,2]},'output':{'xs':[1,2]}},
                 'step_2':{'type':'LOOP_ON_ITEMS','status':'SUCCEEDED','input':{'items':[1,2]},
                   'output':{'item':2,'index':2,'iterations':[
                     {'step_3':{'type':'CODE','status':'SUCCEEDED','input':{'v':1},'output':10}},
                     {'step_3':{'type':'CODE','status':'SUCCEEDED','input':{'v':2},'output':20}}]}},
                 'step_4':{'type':'ROUTER','status':'SUCCEEDED',
                   'output':{'branches':[{'branchName':'B1','branchIndex':1,'evaluation':false},
                     {'branchName':'Otherwise','branchIndex':2,'evaluation':true}]}}}
                """));
    }

    @Test
    void endsFailed_whenAStepInALoopThrows() {
        // Given
        var flow = LiveFlow.publish(owner, flowA(FAIL_AT_TWO, false));

        // When
        var run = flow.run(json("{'xs':[1,2,3]}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_3");
        assertThat(run.at("/failedStep/displayName").asText()).isEqualTo("The step_3");
        assertThat(run.at("/failedStep/message").asText()).contains("boom");
        assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_2/output/iterations")).hasSize(2);
        assertThat(run.at("/steps/step_2/output/iterations/1/step_3/status").asText())
                .isEqualTo("FAILED");
        assertThat(message(run.at("/steps/step_2/output/iterations/1/step_3"))).isEqualTo("boom");
        assertThat(run.path("steps").has("step_4")).isFalse();
    }

    @Test
    void continues_whenTheFailedStepContinuesOnFailure() {
        // Given
        var flow = LiveFlow.publish(owner, flowA(FAIL_AT_TWO, true));

        // When
        var run = flow.run(json("{'xs':[1,2,3]}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.has("failedStep")).isFalse();
        assertThat(run.at("/steps/step_2/output/iterations/1/step_3/status").asText())
                .isEqualTo("FAILED");
        assertThat(run.at("/steps/step_2/output/iterations/2/step_3/output").asInt())
                .isEqualTo(30);
        assertThat(run.at("/steps/step_4/status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void walksTheBranchOfTheOutcome() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", THROW)
                        .continuing(
                                steps().map("step_2", "{}"),
                                steps().map("step_3", "{'why':'{{step_1.error.message}}'}"))
                        .map("step_4", "{}")
                        .continuing(steps().map("step_5", "{}"), steps().map("step_6", "{}")));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("steps").propertyStream().map(Map.Entry::getKey))
                .containsExactly("trigger", "step_1", "step_3", "step_4", "step_5");
        assertThat(run.at("/steps/step_3/output/why").asText()).contains("boom");
    }

    @Test
    void endsFailed_whenALoopIsGivenText() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().eachX("step_2", steps()));

        // When
        var run = flow.run(json("{'xs':'text'}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
        assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_2/input/items").asText()).isEqualTo("text");
        assertThat(Json.trusted(run.at("/steps/step_2/errorMessage").asText())
                        .path("message")
                        .asText())
                .isEqualTo("{\n  \"message\": \"The items you have selected must be a list.\"\n}");
    }

    @Test
    void hasNoItem_whenALoopIsGivenNothing() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().eachX("step_2", steps().map("step_3", "{}")));

        // When
        var run = flow.run(json("{'xs':[]}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_2/output")).isEqualTo(json("{'index':0,'iterations':[]}"));
    }

    @Test
    void recordsEmptyIterations_whenTheBodyIsEmpty() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().eachX("step_2", steps()));

        // When
        var run = flow.run(json("{'xs':[5,6]}"));

        // Then
        assertThat(run.at("/steps/step_2/output")).isEqualTo(json("{'index':2,'iterations':[{},{}],'item':6}"));
    }

    @Test
    void passesOverASkippedStep_andItsReferencesAreEmpty() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", RETURN_INPUTS, "{'xs':[1]}")
                        .skipped()
                        .loop("step_2", "{{step_1.output.xs}}", steps()));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
        assertThat(run.path("steps").has("step_1")).isFalse();
        assertThat(run.path("stepsCount").asInt()).isZero();
    }

    @Test
    void walksEveryTrueBranchInOrder() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().allMatches("step_1", twoTrueBranches()));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("steps").propertyStream().map(Map.Entry::getKey))
                .containsExactly("trigger", "step_1", "step_2", "step_3");
    }

    @Test
    void walksTheFirstTrueBranchOnly_andReportsBoth() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().firstMatch("step_1", twoTrueBranches()));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("steps").propertyStream().map(Map.Entry::getKey))
                .containsExactly("trigger", "step_1", "step_2");
        assertThat(run.at("/steps/step_1/output/branches/1/evaluation").asBoolean())
                .isTrue();
    }

    private static Branch[] twoTrueBranches() {
        return new Branch[] {
            Branch.whenEqual("B1", "a", "a", steps().map("step_2", "{}")),
            Branch.whenEqual("B2", "b", "b", steps().map("step_3", "{}"))
        };
    }

    @Test
    void walksTheFallback_whenItIsTheOnlyBranch() {
        // Given
        var flow =
                LiveFlow.publish(owner, webhook().firstMatch("step_1", Branch.otherwise(steps().map("step_2", "{}"))));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.at("/steps/step_1/output/branches/0/evaluation").asBoolean())
                .isTrue();
        assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void endsAtOnce_whenAStepReturnsTheResponse() {
        // Given
        var flow = LiveFlow.publish(
                owner, webhook().returnJson("step_1", "{'a':1}").map("step_2", "{}"));

        // When
        var answer = flow.callAndWait(json("{}"));
        var run = flow.ended(1);

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(json("{'a':1}"));
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    @Test
    void continues_afterRespondingToTheCaller() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook().respondJson("step_1", "{'a':1}").map("step_2", "{}").returnJson("step_3", "{'a':2}"));

        // When
        var answer = flow.callAndWait(json("{}"));
        var run = flow.ended(1);

        // Then
        assertThat(answer.body()).isEqualTo(json("{'a':1}"));
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("steps").has("step_3")).isTrue();
    }

    @Test
    void isRunningDuringADelay_andALoopTakesAsLongAsItsBody() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop("step_1", "{{[1]}}", steps().loop("step_2", "{{[1]}}", steps().delay("step_3", 1)))
                        .map("step_4", "{}"));

        // When
        var accepted = flow.call(json("{}"));
        Waiting.until(
                "it is running",
                () -> flow.runs().getFirst().path("status").asText().equals("RUNNING"));
        var during = flow.runs();
        var run = flow.ended(1);

        // Then
        assertThat(accepted.status()).isEqualTo(200);
        assertThat(during.getFirst().path("finishTime").isNull()).isTrue();
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        var inner = run.at("/steps/step_1/output/iterations/0/step_2");
        assertThat(inner.at("/output/iterations/0/step_3/duration").asLong()).isGreaterThanOrEqualTo(1000);
        assertThat(inner.path("duration").asLong()).isGreaterThanOrEqualTo(1000);
        assertThat(run.at("/steps/step_1/duration").asLong()).isGreaterThanOrEqualTo(1000);
        assertThat(run.path("steps").has("step_4")).isTrue();
    }

    @Test
    void endsFailed_whenAConnectionIsNotThere() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'a':'{{connections.crm}}'}"));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("ConnectionNotFound");
    }

    @Test
    void endsFailedAtTheStep_whenItsCodeDoesNotCompile() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}").code("step_2", "export const code = ("));

        // When
        var run = flow.run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void walksTenThousandItems() {
        // Given
        var flow = LiveFlow.publish(
                owner, webhook().eachX("step_1", steps().map("step_2", "{'v':'{{step_1.output.item * 2}}'}")));
        var body = xs(10_000);

        // When
        var run = flow.run(body);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("stepsCount").asInt()).isEqualTo(10_000);
        assertThat(run.at("/steps/step_1/output/iterations/9999/step_2/output/v")
                        .asInt())
                .isEqualTo(19_998);
    }

    private static String message(JsonNode record) {
        return json(record.path("errorMessage").asText()).path("message").asText();
    }

    private static JsonNode withoutDurations(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.remove("duration");
        }
        value.forEach(RunIT::withoutDurations);
        return value;
    }
}
