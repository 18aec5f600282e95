package io.millrace.engine.run.replay;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReplayIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    /** A separate project for each test. */
    private TestServer.SignedIn owner = admin.inTeam("Mill");

    private FlowScript chain() {
        return webhook()
                .http("first", "POST", outside.url("/first"))
                .map("total", "{'ok':'{{first.output.body.ok}}','x':'{{trigger.output.body.x}}'}")
                .http("second", "POST", outside.url("/second/{{total.output.x}}"))
                .http("third", "GET", outside.url("/third"));
    }

    private static ObjectNode from(String step, Object effects) {
        var body = Json.object().put("step", step);
        body.set("effects", Json.mapper().valueToTree(effects));
        return body;
    }

    private Answer replay(JsonNode run, JsonNode body) {
        return owner.api().post("/v1/flow-runs/" + run.path("id").asText() + "/replay", body);
    }

    private JsonNode ended(LiveFlow flow, Answer started) {
        assertThat(started.status()).as(started.body().toString()).isEqualTo(200);
        return awaited(flow, started.text("/id"), "SUCCEEDED|FAILED");
    }

    private static JsonNode awaited(LiveFlow flow, String runId, String statuses) {
        var found = new AtomicReference<JsonNode>();
        Waiting.until("run " + runId + " is " + statuses, () -> {
            found.set(flow.run(runId));
            return found.get().path("status").asText().matches(statuses);
        });
        return found.get();
    }

    private static JsonNode timeless(JsonNode steps) {
        var copy = steps.deepCopy();
        copy.findParents("duration").forEach(step -> ((ObjectNode) step).remove("duration"));
        return copy;
    }

    @Test
    void performsTheStepsFromTheChosenOneOn_withTheEarlierResults() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));

        var started = replay(run, from("second", "perform"));
        var again = ended(flow, started);

        assertThat(started.text("/replayOf")).isEqualTo(run.path("id").asText());
        assertThat(started.text("/status")).isEqualTo("QUEUED");
        assertThat(outside.paths()).containsExactly("/first", "/second/1", "/third", "/second/1", "/third");
        assertThat(again.path("replayOf").asText()).isEqualTo(run.path("id").asText());
        assertThat(again.at("/steps/first")).isEqualTo(run.at("/steps/first"));
        assertThat(timeless(again.path("steps"))).isEqualTo(timeless(run.path("steps")));
        assertThat(again.path("triggeredBy").asText()).isNotEmpty();
        assertThat(flow.runs())
                .hasSize(2)
                .anySatisfy(listed -> assertThat(listed.path("replayOf").asText())
                        .isEqualTo(run.path("id").asText()));
        assertThat(flow.run(run.path("id").asText())).isEqualTo(run);
    }

    @Test
    void isAudited_withoutItsInput() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var input = (ObjectNode) run.at("/steps/second/input").deepCopy();
        input.put("url", outside.url("/edited"));

        replay(run, from("second", "perform").put("dryRun", true));
        var again = ended(flow, replay(run, from("second", "perform").set("input", input)));

        assertThat(server.count(
                        "select count(*) from audit_event where action = 'flow.run.replayed' and project_id = $1",
                        owner.projectId()))
                .isEqualTo(1);
        var body = Json.trusted(server.text(
                "select body from audit_event where action = 'flow.run.replayed' and project_id = $1",
                owner.projectId()));
        assertThat(body.path("userEmail").asText()).isEqualTo("ada@example.com");
        assertThat(body.at("/data/flowRun/id")).isEqualTo(again.path("id"));
        assertThat(body.at("/data/request/replayOf")).isEqualTo(run.path("id"));
        assertThat(body.at("/data/request/effects").asText()).isEqualTo("perform");
        assertThat(body.toString()).doesNotContain("/edited");
    }

    @Test
    void listsTheReplaysOfARun() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var other = flow.run(json("{'x':2}"));
        var again = ended(flow, replay(run, from("second", "recorded")));

        var replays = replaysOf(run);
        assertThat(replays).hasSize(1);
        assertThat(replays.at("/0/id")).isEqualTo(again.path("id"));
        assertThat(replays.at("/0/replayOf")).isEqualTo(run.path("id"));
        assertThat(replaysOf(other)).isEmpty();
    }

    private JsonNode replaysOf(JsonNode run) {
        return owner.api()
                .get("/v1/flow-runs?projectId=" + owner.projectId() + "&replayOf="
                        + run.path("id").asText())
                .body()
                .path("data");
    }

    @Test
    void equalsTheRecordWithoutCalls_whenEverythingIsAnsweredFromIt() {
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .http("first", "POST", outside.url("/first"))
                        .eachX("loop", steps().http("inner", "POST", outside.url("/{{loop.output.item}}")))
                        .returnJson("answer", "{'x':'{{first.output.body.ok}}'}"));
        var run = flow.run(FlowScript.xs(6));
        var calls = outside.calls().size();

        var again = ended(flow, replay(run, from("trigger", "recorded")));

        assertThat(outside.calls()).hasSize(calls);
        assertThat(timeless(again.path("steps"))).isEqualTo(timeless(run.path("steps")));
        assertThat(again.path("status")).isEqualTo(run.path("status"));
        assertThat(again.path("stepsCount")).isEqualTo(run.path("stepsCount"));
    }

    @Test
    void performsNamedStepsOnly() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));

        ended(flow, replay(run, from("first", new String[] {"third"})));

        assertThat(outside.paths()).containsExactly("/first", "/second/1", "/third", "/third");
    }

    @Test
    void replacesTheInputOfTheStep() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var input = (ObjectNode) run.at("/steps/second/input").deepCopy();
        input.put("url", outside.url("/edited"));

        var again = ended(flow, replay(run, from("second", "perform").set("input", input)));

        assertThat(outside.paths()).containsExactly("/first", "/second/1", "/third", "/edited", "/third");
        assertThat(again.at("/steps/second/input/url").asText()).endsWith("/edited");
    }

    @Test
    void computesLaterStepsAnew_whenAPureStepGetsAnotherInput() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));

        var body = from("total", "perform");
        body.set("input", json("{'mapping':{'x':7}}"));
        var again = ended(flow, replay(run, body));

        assertThat(again.at("/steps/total/output/x").asInt()).isEqualTo(7);
        assertThat(outside.paths()).contains("/second/7");
    }

    @Test
    void failsAStepWithoutARecord_andSendsNothing() {
        var flow = LiveFlow.publish(owner, webhook().http("first", "POST", outside.url("/first")));
        var run = flow.run(json("{}"));
        flow.change(
                webhook().http("first", "POST", outside.url("/first")).http("added", "POST", outside.url("/added")));

        var again = ended(flow, replay(run, from("first", "recorded").put("version", "draft")));

        assertThat(again.path("status").asText()).isEqualTo("FAILED");
        assertThat(again.at("/failedStep/name").asText()).isEqualTo("added");
        assertThat(again.at("/steps/added/errorMessage").asText())
                .contains("Step added has no recorded result", "nothing was sent", "effects");
        assertThat(outside.paths()).containsExactly("/first");
    }

    @Test
    void repairsAFailedRun_withTheDraft() {
        var flow = LiveFlow.publish(
                owner,
                webhook().http("first", "POST", outside.url("/first")).http("second", "POST", outside.url("/broken")));
        var run = flow.run(json("{}"));
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        flow.change(
                webhook().http("first", "POST", outside.url("/first")).http("second", "POST", outside.url("/good")));

        var again = ended(flow, replay(run, from("second", "perform").put("version", "draft")));

        assertThat(again.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/first", "/broken", "/good");
        assertThat(again.path("flowVersionId")).isNotEqualTo(run.path("flowVersionId"));
    }

    @Test
    void beginsInAnIteration() {
        var flow = LiveFlow.publish(
                owner, webhook().eachX("loop", steps().http("inner", "POST", outside.url("/{{loop.output.item}}"))));
        var run = flow.run(FlowScript.xs(3));

        ended(flow, replay(run, from("inner", "perform").put("iteration", 1)));
        var byName = from("inner", "perform");
        byName.putObject("iteration").put("loop", 2);
        ended(flow, replay(run, byName));

        assertThat(outside.paths()).containsExactly("/0", "/1", "/2", "/1", "/2", "/2");
    }

    @Test
    void listsTheEffectsInADryRun_withoutAny() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var calls = outside.calls().size();

        var list = replay(run, from("second", new String[] {"second"}).put("dryRun", true));

        assertThat(list.status()).isEqualTo(200);
        assertThat(list.body().path("effects")).hasSize(2);
        var second = list.body().at("/effects/0");
        assertThat(second.path("step").asText()).isEqualTo("second");
        assertThat(second.path("answer").asText()).isEqualTo("performed");
        assertThat(second.path("pieceName").asText()).isEqualTo("@activepieces/piece-http");
        assertThat(second.path("actionName").asText()).isEqualTo("send_request");
        assertThat(second.path("method").asText()).isEqualTo("POST");
        assertThat(second.path("host").asText()).isNotEmpty();
        assertThat(list.body().at("/effects/1/answer").asText()).isEqualTo("recorded");
        assertThat(outside.calls()).hasSize(calls);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void replaysAPausedRun_fromAnEarlierStep() {
        var flow = LiveFlow.publish(
                owner, webhook().http("first", "POST", outside.url("/first")).delay("wait", 3600));
        flow.call(json("{}"));
        Waiting.until(
                "the run is paused", () -> flow.newest().path("status").asText().equals("PAUSED"));
        var run = flow.newest();

        var started = replay(run, from("first", "perform"));

        assertThat(started.status()).as(started.body().toString()).isEqualTo(200);
        awaited(flow, started.text("/id"), "PAUSED");
        assertThat(outside.paths()).containsExactly("/first", "/first");
    }

    /** The checker of blocked threads would find a walk on an event loop. */
    @Test
    void listsTheEffectsOfARunOfManyIterations() {
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .loop(
                                "each",
                                "{{trigger.output.body.xs}}",
                                FlowScript.steps().map("one", "{'x':'{{each.output.item}}'}"))
                        .http("last", "POST", outside.url("/last")));
        var event = Json.object();
        var items = event.putArray("xs");
        IntStream.range(0, 5_000).forEach(items::add);
        var run = flow.run(event);

        var listed = replay(run, from("last", "recorded").put("dryRun", true));

        assertThat(listed.status()).as(listed.body().toString()).isEqualTo(200);
        assertThat(listed.body().path("effects"))
                .singleElement()
                .satisfies(effect -> assertThat(effect.path("answer").asText()).isEqualTo("recorded"));
    }

    @Test
    void namesWhatIsWrong() {
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .http("first", "POST", outside.url("/first"))
                        .eachX("loop", steps().http("inner", "POST", outside.url("/{{loop.output.item}}"))));
        var run = flow.run(FlowScript.xs(1));

        refused(run, Json.object().put("step", "first"), "body/effects");
        refused(run, from("first", "all"), "body/effects");
        refused(run, from("missing", "perform"), "body/step");
        refused(run, from("first", new String[] {"missing"}), "body/effects");
        refused(run, from("inner", "perform"), "body/iteration");
        refused(run, from("inner", "perform").put("iteration", -1), "body/iteration");
        refused(run, from("inner", "perform").put("iteration", "0"), "body/iteration");
        refused(run, from("first", "perform").put("iteration", 0), "body/iteration");
        refused(run, from("first", "perform").put("version", "latest"), "body/version");
        refused(run, from("loop", "perform").set("input", json("{}")), "body/input");
        refused(run, from("first", "recorded").set("input", json("{}")), "body/input");
        assertThat(replay(run, from("inner", "perform").put("iteration", 5)).status())
                .isEqualTo(409);
        assertThat(outside.paths()).containsExactly("/first", "/0");
        assertThat(flow.runs()).hasSize(1);
    }

    private void refused(JsonNode run, JsonNode body, String field) {
        var answer = replay(run, body);
        assertThat(answer.status()).as("%s: %s", body, answer.body()).isEqualTo(400);
        assertThat(answer.text("/message")).as("%s", body).contains(field);
    }

    @Test
    void hidesRunsOfOtherProjects() {
        var flow = LiveFlow.publish(owner, chain());
        var run = flow.run(json("{'x':1}"));
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);

        var answer = vera.api().post("/v1/flow-runs/" + run.path("id").asText() + "/replay", from("first", "perform"));
        var missing = owner.api().post("/v1/flow-runs/" + "a".repeat(21) + "/replay", from("first", "perform"));

        assertThat(answer.status()).isIn(403, 404);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(outside.paths()).hasSize(3);
    }
}
