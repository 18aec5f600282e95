package io.millrace.engine.run.replay;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Dry runs of manual starts. */
class DryRunIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    private FlowScript chain() {
        return webhook()
                .map("total", "{'x':'{{trigger.output.body.x}}'}")
                .http("first", "POST", outside.url("/first/{{total.output.x}}"))
                .http("second", "GET", outside.url("/second/{{first.output.body.ok}}"));
    }

    private Answer dryRun(TestServer.SignedIn by, LiveFlow flow, JsonNode payload) {
        var body = Json.object().put("projectId", owner.projectId()).put("flowId", flow.id());
        body.set("payload", payload);
        return by.api().post("/v1/flow-runs?dryRun=true", body);
    }

    @Test
    void listsTheCallsUpToTheFirstWithoutAnAnswer_andMakesNone() {
        var flow = LiveFlow.publish(owner, chain());

        var list = dryRun(owner, flow, json("{'body':{'x':7}}"));

        assertThat(list.status()).as(list.body().toString()).isEqualTo(200);
        assertThat(list.body().path("effects")).hasSize(1);
        assertThat(list.text("/effects/0/answer")).isEqualTo("missing");
        assertThat(list.text("/effects/0/input/url")).endsWith("/first/7");
        assertThat(list.text("/unknownFrom/step")).isEqualTo("first");
        assertThat(list.body().path("answersOf").isNull()).isTrue();
        assertThat(outside.paths()).isEmpty();
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void answersCallsFromTheNewestRunThatSucceeded() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var calls = outside.calls().size();

        var list = dryRun(owner, flow, json("{'body':{'x':7}}"));

        assertThat(list.body().path("effects")).hasSize(2);
        assertThat(list.text("/effects/0/input/url")).endsWith("/first/7");
        assertThat(list.text("/effects/0/answer")).isEqualTo("recorded");
        assertThat(list.body().at("/effects/0/output")).isEqualTo(run.at("/steps/first/output"));
        assertThat(list.body().path("unknownFrom").isNull()).isTrue();
        assertThat(list.text("/answersOf")).isEqualTo(run.path("id").asText());
        assertThat(outside.calls()).hasSize(calls);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void startsARun_withoutTheParameterOrWithFalse() {
        var flow = LiveFlow.publish(owner, chain());
        var body = Json.object().put("projectId", owner.projectId()).put("flowId", flow.id());

        assertThat(owner.api().post("/v1/flow-runs?dryRun=false", body).text("/status"))
                .isNotEmpty();
        assertThat(owner.api().post("/v1/flow-runs?dryRun=maybe", body).status())
                .isEqualTo(400);
        flow.ended(1);
    }

    @Test
    void refusesOtherProjects() {
        var flow = LiveFlow.publish(owner, chain());
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);

        assertThat(dryRun(vera, flow, json("{}")).status()).isEqualTo(403);
    }
}
