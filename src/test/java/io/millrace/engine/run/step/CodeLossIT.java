package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log lines of code steps about values that JSON or JavaScript cannot represent, in both JavaScript engines. */
class CodeLossIT {
    private static final String ROUNDED = "inputs.id: JavaScript cannot hold this integer exactly";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @ParameterizedTest
    @ValueSource(strings = {"", "Buffer.from('a');"})
    void warnsInTheLogOfTheStep(String body) {
        var flow = LiveFlow.publish(
                admin,
                webhook()
                        .code(
                                "step_1",
                                "export const code = async (inputs) => {" + body
                                        + "return { id: String(inputs.id), m: new Map([[1, 2]]) }; };",
                                "{'id':'{{trigger.output.body.id}}'}"));

        var rounded = flow.run(json("{'id':8202522731445525542}")).at("/steps/step_1");
        var exact = flow.run(json("{'id':'8202522731445525542'}")).at("/steps/step_1");

        assertThat(rounded.at("/output/id").asText()).isEqualTo("8202522731445526000");
        assertThat(rounded.path("standardError").asText())
                .contains(ROUNDED, "output.m: a Map becomes {}")
                .doesNotContain("82025227");
        assertThat(exact.at("/output/id").asText()).isEqualTo("8202522731445525542");
        assertThat(exact.path("standardError").asText())
                .contains("output.m: a Map becomes {}")
                .doesNotContain(ROUNDED);
    }

    @Test
    void isSilent_whenNothingIsLost() {
        var flow = LiveFlow.publish(
                admin,
                webhook()
                        .code(
                                "step_1",
                                "export const code = async (inputs) => ({ n: inputs.n, d: new Date(0) });",
                                "{'n':'{{trigger.output.body.n}}'}"));

        var step = flow.run(json("{'n':9007199254740992}")).at("/steps/step_1");

        assertThat(step.at("/output/n").asLong()).isEqualTo(9007199254740992L);
        assertThat(step.has("standardError")).isFalse();
    }
}
