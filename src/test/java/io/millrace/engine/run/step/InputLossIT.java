package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Log lines of piece steps about optional values that the action did not receive. */
class InputLossIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void warnsInTheLogOfTheStep_andRuns() {
        var flow = LiveFlow.publish(
                admin,
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-webhook",
                                "0.1.29",
                                "return_response",
                                json("{'responseType':'json','fields':{'status':200,"
                                        + "'headers':'{{trigger.output.body.headers}}','body':{'ok':true}}}")));

        var lost = flow.run(json("{'headers':'X-A: 1'}")).at("/steps/step_1");
        var kept = flow.run(json("{'headers':{'X-A':'1'}}")).at("/steps/step_1");

        assertThat(lost.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(lost.path("standardError").asText())
                .isEqualTo(
                        "fields.headers: expected object, received: X-A: 1; the field is optional, so the action receives"
                                + " no value");
        assertThat(kept.has("standardError")).isFalse();
    }

    @Test
    void warnsInTheRecordOfAnActionRun() {
        var body = Json.object()
                .put("projectId", admin.projectId())
                .put("pieceName", "@activepieces/piece-webhook")
                .put("actionName", "return_response");
        body.set("input", json("{'responseType':'json','fields':{'status':200,'headers':'X-A: 1','body':{}}}"));

        var run = admin.api().post("/v1/actions/run", body);

        assertThat(run.text("/status")).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.text("/standardError"))
                .isEqualTo(
                        "fields.headers: expected object, received: X-A: 1; the field is optional, so the action receives"
                                + " no value");
    }
}
