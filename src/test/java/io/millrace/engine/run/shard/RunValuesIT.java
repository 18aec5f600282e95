package io.millrace.engine.run.shard;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Values in the steps of a run and in its log. */
class RunValuesIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void evaluatesConditionsBeyondTheGrammar() {
        // given
        var first = "{{(function () { return 'a' + trigger.output.body.n; })()}}";
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .firstMatch(
                                "step_1",
                                Branch.whenEqual("B1", first, "a1", steps().map("step_2", "{}")),
                                Branch.otherwise(steps().map("step_3", "{}"))));

        // when
        var run = flow.run(json("{'n':1}"));

        // then
        assertThat(run.path("steps").has("step_2")).isTrue();
        assertThat(run.path("steps").has("step_3")).isFalse();
    }

    @Test
    void keepsTheTypesOfExpressions() {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", """
                {'number':'{{trigger.output.body.n + 1}}','text':'n={{trigger.output.body.n}}',
                 'list':'{{trigger.output.body.list}}','inText':'{{trigger.output.body.list}}!','missing':'{{nobody.a}}',
                 'choice':'{{trigger.output.body.n > 1 ? \\"big\\" : \\"small\\"}}','nothing':'{{trigger.output.body.none}}'}
                """));

        // when
        var run = flow.run(json("{'n':2,'list':[1,{'a':null}],'none':null}"));

        // then
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json("""
                {'number':3,'text':'n=2','list':[1,{'a':null}],'inText':'[1,{\\"a\\":null}]!','missing':'',
                 'choice':'big','nothing':''}
                """));
    }

    @Test
    void shortensALargeInputInTheLogOnly() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async (inputs) => inputs.big.length;", """
                        {'big':'{{trigger.output.body.big}}','small':'x'}
                        """));

        // when
        var run = flow.run(json("{}").<ObjectNode>deepCopy().put("big", "x".repeat(5000)));

        // then
        assertThat(run.at("/steps/step_1/input"))
                .isEqualTo(json("{'big':'(truncated, original size 5 KB)','small':'x'}"));
        assertThat(run.at("/steps/step_1/output").asInt()).isEqualTo(5000);
    }

    @Test
    void keepsWhatCodeWroteToItsConsole() {
        // given code of which one call returns nothing and another throws
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_1", "export const code = async () => { console.log('a', {b: 1}); };")
                        .code("step_2", """
                                export const code = async () => {
                                  console.warn('careful');
                                  throw new TypeError('no');
                                };
                                """)
                        .continuing()
                        .code("step_3", "export const code = async () => 1;"));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/standardOutput").asText())
                .contains("a")
                .contains("b");
        assertThat(run.at("/steps/step_1").has("output")).isFalse();
        assertThat(run.at("/steps/step_1").has("standardError")).isFalse();
        assertThat(run.at("/steps/step_2/standardError").asText()).isEqualTo("careful");
        assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_3").has("standardOutput")).isFalse();
    }

    @Test
    void evaluatesFormulas_andFailsTheStepOfOneThatCannotBeEvaluated() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map(
                                "step_1",
                                "{'sum':'ap-formula-v1::{add({{trigger.output.body.n}}; 2)}::ap-formula-v1',"
                                        + "'text':'n is ap-formula-v1::{uppercase(x{{trigger.output.body.n}})}::ap-formula-v1'}")
                        .map("step_2", "{'x':'ap-formula-v1::{divide(1; 0)}::ap-formula-v1'}")
                        .continuing()
                        .map("step_3", "{'why':'{{step_2.error.message}}'}"));

        // when
        var run = flow.run(json("{'n':40}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json("{'sum':42,'text':'n is X40'}"));
        assertThat(run.at("/steps/step_2/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_3/output/why").asText())
                .contains("FormulaEvaluationError", "Cannot divide by zero");
    }

    @Test
    void copiesTheRecordOfItsOwnLoop() {
        // given a step that reads the record of which its own record becomes a part
        var flow = LiveFlow.publish(
                owner, webhook().eachX("step_1", steps().map("step_2", "{'seen':'{{step_1.output}}'}")));

        // when
        var run = flow.run(json("{'xs':[1,2]}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        var second = run.at("/steps/step_1/output/iterations/1/step_2/output/seen");
        assertThat(second.path("index").asInt()).isEqualTo(2);
        assertThat(second.path("iterations")).hasSize(2);
        assertThat(second.at("/iterations/0/step_2/output/seen/index").asInt()).isEqualTo(1);
        assertThat(second.at("/iterations/1")).isEmpty();
    }

    @Test
    void keepsAHalfCharacter() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'a':'{{trigger.output.body.a}}'}")
                        .code("step_2", "export const code = () => '\\ud800';"));

        // when
        var run = flow.run(json("{'a':'\\ud800'}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/a").asText()).hasSize(1);
    }

    @Test
    void keepsAPayloadAsDeepAsItMayBe() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'a':'{{trigger.output.body}}'}")
                        .map("step_2", "{'a':'{{step_1.output}}'}")
                        .delay("step_3", 0));

        // when
        var run = flow.run(json("{'a':" + "[".repeat(190) + "]".repeat(190) + "}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
    }
}
