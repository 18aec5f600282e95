package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated starts: one run for each key, and the first response for every caller (decision 0033). */
class IdempotencyIT {
    @AutoClose
    private static TestServer server =
            ServerSettings.localCalls().with("AP_WEBHOOK_TIMEOUT_SECONDS", "4").start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @AutoClose
    private Outside outside = Outside.start();

    private static Answer call(LiveFlow flow, String variant, String key, String body) {
        return callAsync(server.anonymous(), flow, variant, key, body).join();
    }

    private static CompletableFuture<Answer> callAsync(
            ApiClient api, LiveFlow flow, String variant, String key, String body) {
        var headers = Map.of("Content-Type", "application/json", "Idempotency-Key", key);
        return api.sendAsync("POST", "/v1/webhooks/" + flow.id() + variant, headers, body);
    }

    private static String callId(Answer answer) {
        return answer.headers().firstValue("x-webhook-id").orElseThrow();
    }

    /** A flow that responds with its payload, and with the number of its executions. */
    private FlowScript echo(String path) {
        return webhook()
                .http("step_1", "POST", outside.url(path))
                .returnJson("step_2", "{'n':'{{trigger.output.body.n}}'}");
    }

    @Test
    void startsOneRunForEachKey_whenTheCallerDoesNotWait() {
        // given
        var flow = LiveFlow.publish(owner, echo("/quick"));
        var other = LiveFlow.publish(owner, echo("/quick"));

        // when
        var first = call(flow, "", "k1", "{\"n\":1}");
        var again = call(flow, "", "k1", "{\"n\":1}");
        var changed = call(flow, "", "k1", "{\"n\":2}");
        var second = call(flow, "", "k2", "{\"n\":1}");
        call(other, "", "k1", "{\"n\":1}");
        flow.call(json("{'n':1}"));
        flow.call(json("{'n':1}"));

        // then
        assertThat(List.of(first, again, changed, second))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200))
                .allSatisfy(answer -> assertThat(answer.body()).isEqualTo(Json.object()));
        assertThat(callId(again)).isEqualTo(callId(first));
        assertThat(callId(changed)).isEqualTo(callId(first));
        assertThat(callId(second)).isNotEqualTo(callId(first));
        assertThat(flow.runs()).hasSize(4);
        assertThat(other.runs()).hasSize(1);
    }

    @Test
    void givesFiftyCallersAtTwoNodesOneRunAndOneAnswer() {
        try (var second = server.successor()) {
            // given
            var flow = LiveFlow.publish(owner, echo("/held"));

            // when
            var calls = new ArrayList<CompletableFuture<Answer>>();
            for (var n = 0; n < 25; n++) {
                var body = "{\"n\":\"" + n + "\"}";
                calls.add(callAsync(server.anonymous(), flow, "/sync", "fifty", body));
                calls.add(callAsync(second.anonymous(), flow, "/sync", "fifty", body));
            }
            outside.awaitCalls(1);
            outside.release();
            var answers = calls.stream().map(CompletableFuture::join).toList();

            // then
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
            assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
            assertThat(answers.stream().map(IdempotencyIT::callId).distinct()).hasSize(1);
            assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(flow.runs()).hasSize(1);
            assertThat(outside.calls()).hasSize(1);
        }
    }

    @Test
    void remembersHowTheRunEnded_whenItHasNotAnswered() {
        // given
        var failing = LiveFlow.publish(
                owner, webhook().http("step_1", "POST", outside.url("/broken")).returnJson("step_2", "{}"));
        var silent = LiveFlow.publish(owner, webhook().map("step_1", "{}"));

        // when
        var silentCalls = List.of(
                callAsync(server.anonymous(), silent, "/sync", "k", "{}"),
                callAsync(server.anonymous(), silent, "/sync", "k", "{}"));
        var failed = List.of(call(failing, "/sync", "k", "{}"), call(failing, "/sync", "k", "{}"));

        // then
        assertThat(failed).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(500));
        assertThat(silentCalls)
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(408));
        assertThat(failing.runs()).hasSize(1);
        assertThat(silent.runs()).hasSize(1);
    }

    /**
     * The response is stored with the start: a repeat gets it after an asynchronous start, and after the end of the
     * run.
     */
    @Test
    void givesTheAnswerOfARunThatWasStartedWithoutWaiting_andFirstAnswersOnly() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .respondJson("step_1", "{'first':'{{trigger.output.body.n}}'}")
                        .http("step_2", "POST", outside.url("/held"))
                        .respondJson("step_3", "{'second':true}"));

        // when
        call(flow, "", "k", "{\"n\":1}");
        outside.awaitCalls(1);
        var early = call(flow, "/sync", "k", "{}");
        outside.release();
        flow.ended(1);
        var late = call(flow, "/sync", "k", "{}");

        // then
        assertThat(early.body()).isEqualTo(json("{'first':1}"));
        assertThat(late.body()).isEqualTo(json("{'first':1}"));
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void keepsTheAnswerOfARunThatIsTakenOverAndPauses() {
        // given a run whose owner is lost in the middle of a step
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .http("step_1", "POST", outside.url("/held"))
                        .respondJson("step_2", "{'n':'{{trigger.output.body.n}}'}")
                        .delay("step_3", 60));
        call(flow, "", "k", "{\"n\":7}");
        outside.awaitCalls(1);
        server.execute("update run set owner = '' where flow_id = $1", flow.id());

        // when
        outside.awaitCalls(2);
        outside.release();

        // then
        assertThat(call(flow, "/sync", "k", "{}").body()).isEqualTo(json("{'n':7}"));
        Waiting.until(
                "the run is paused",
                () -> flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        assertThat(call(flow, "/sync", "k", "{}").body()).isEqualTo(json("{'n':7}"));
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void hasKeysOfTheirOwnForTests() {
        // given
        var flow = LiveFlow.publish(owner, echo("/quick"));

        // when
        var tried = call(flow, "/draft/sync", "k", "{\"n\":1}");
        var triedAgain = call(flow, "/draft/sync", "k", "{\"n\":2}");
        var real = call(flow, "/sync", "k", "{\"n\":3}");
        call(flow, "/draft", "d", "{\"n\":4}");
        call(flow, "/draft", "d", "{\"n\":5}");

        // then
        assertThat(tried.body()).isEqualTo(json("{'n':1}"));
        assertThat(triedAgain.body()).isEqualTo(json("{'n':1}"));
        assertThat(real.body()).isEqualTo(json("{'n':3}"));
        assertThat(flow.runs()).hasSize(1);
        assertThat(server.count(
                        "select count(*) from (select id from run where flow_id = $1 union all"
                                + " select id from ended_run where flow_id = $1) as all_runs",
                        flow.id()))
                .isEqualTo(3);
    }

    @Test
    void hidesResultsFromCallersThatTheTriggerRefuses() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook("{'authType':'header','authFields':{'headerName':'x-key','headerValue':'open'}}")
                        .returnJson("step_1", "{'secret':true}"));
        var path = "/v1/webhooks/" + flow.id() + "/sync";

        // when
        var refused = server.anonymous().send("POST", path, Map.of("Idempotency-Key", "k"), "");
        var taken = server.anonymous().send("POST", path, Map.of("Idempotency-Key", "k", "x-key", "open"), "");
        var guessed = server.anonymous().send("POST", path, Map.of("Idempotency-Key", "k"), "");

        // then
        assertThat(refused.status()).isEqualTo(401);
        assertThat(taken.body()).isEqualTo(json("{'secret':true}"));
        assertThat(guessed.status()).isEqualTo(401);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void knowsTheProvidersDeliveries() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook().deliveryId("{{trigger.output.headers['x-delivery']}}").map("step_1", "{}"));
        var path = "/v1/webhooks/" + flow.id();

        // when the provider sends one event again, one without an id twice, and one with a very long id twice
        for (var delivery : new String[] {"d1", "d1", "d2", "", "", "x".repeat(2_000), "x".repeat(2_000)}) {
            var answer = server.anonymous().send("POST", path, Map.of("X-Delivery", delivery), "");
            assertThat(answer.status()).isEqualTo(200);
        }
        var keyed = Map.of("X-Delivery", "d1", "Idempotency-Key", "mine");
        server.anonymous().send("POST", path, keyed, "");

        // then the caller's own key takes precedence
        assertThat(flow.runs()).hasSize(6);
        var version = owner.api().get("/v1/flows/" + flow.id()).body();
        assertThat(version.at("/version/trigger/settings/deliveryId").asText()).contains("x-delivery");
    }

    @Test
    void refusesADeliveryIdThatIsNoExpression() {
        // given
        var flow = LiveFlow.draft(owner, webhook());
        var trigger = webhook().deliveryId("always").tree();
        var operation = Json.object().put("type", "UPDATE_TRIGGER").set("request", trigger);

        // when
        var refused = flow.operate(operation);
        flow.change(webhook().deliveryId("{{trigger.output.body.id +}}"));
        var unpublished = flow.operate(json("{'type':'LOCK_AND_PUBLISH','request':{}}"));

        // then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().toString()).contains("deliveryId");
        assertThat(unpublished.status()).isEqualTo(400);
        assertThat(unpublished.text("/params/field")).isEqualTo("settings/deliveryId");
    }

    @Test
    void startsAnotherRun_whenTheKeyHasExpired() {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var first = call(flow, "", "k", "{}");

        // when
        server.clock().advance(Duration.ofHours(23));
        var within = call(flow, "", "k", "{}");
        server.clock().advance(Duration.ofHours(2));
        var after = call(flow, "", "k", "{}");
        var again = call(flow, "", "k", "{}");

        // then
        assertThat(callId(within)).isEqualTo(callId(first));
        assertThat(callId(after)).isNotEqualTo(callId(first)).isEqualTo(callId(again));
        assertThat(flow.runs()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/sync", "/draft", "/draft/sync"})
    void refusesAnInvalidKey_andNamesTheHeader(String variant) {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));

        for (var key : new String[] {"", " ", "x".repeat(256), "a\tb"}) {
            // when
            var answer = call(flow, variant, key, "{}");

            // then
            assertThat(answer.status()).as("key [%s]", key).isEqualTo(400);
            assertThat(answer.text("/message")).contains("idempotency-key");
        }
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void startsByHandOnceForEachKey() {
        // given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'n':'{{trigger.output.n}}'}"));
        var body = Json.object().put("projectId", owner.projectId()).put("flowId", flow.id());
        body.putObject("payload").put("n", 1);
        var versionId = owner.api().get("/v1/flows/" + flow.id()).text("/version/id");
        var test = Json.object().put("projectId", owner.projectId()).put("flowVersionId", versionId);
        var stepTest = test.deepCopy().put("stepName", "step_1");

        for (var start : Map.of(
                        "/v1/flow-runs", body, "/v1/flow-runs/test", test, "/v1/sample-data/test-step", stepTest)
                .entrySet()) {
            // when
            var key = start.getKey();
            var first = started(start.getKey(), key, start.getValue());
            var again = started(start.getKey(), key, start.getValue());
            var other = started(start.getKey(), key + "/other", start.getValue());
            var refused = startedWith(start.getKey(), "x".repeat(256), start.getValue());

            // then
            assertThat(again.text("/id")).isEqualTo(first.text("/id"));
            assertThat(other.text("/id")).isNotEqualTo(first.text("/id"));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/message")).contains("idempotency-key");
            Waiting.until(
                    "the run has ended",
                    () -> flow.run(first.text("/id")).path("status").asText().equals("SUCCEEDED"));
        }
        assertThat(flow.runs()).hasSize(2);
    }

    private static Answer started(String path, String key, JsonNode body) {
        var answer = startedWith(path, key, body);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer;
    }

    private static Answer startedWith(String path, String key, JsonNode body) {
        return owner.api().postText(path, Json.text(body), "Idempotency-Key", key);
    }

    /** A step that called a flow and was in flight at a crash calls it again: its key prevents a second run. */
    @Test
    void callsASubflowOnce_whenTheStepIsRepeated() {
        // given two nodes, and a parent whose child still executes when its owner changes
        var child = LiveFlow.publish(
                owner,
                FlowScript.callable()
                        .http("step_1", "POST", outside.url("/held"))
                        .returnToCaller("step_2", "{}"));
        var parent = LiveFlow.publish(
                owner,
                webhook()
                        .loop("step_1", "{{[1,2]}}", steps().callFlow("step_2", child.externalId(), "{}", false))
                        .http("step_3", "POST", outside.url("/held")));
        parent.call(json("{}"));
        outside.awaitCalls(3);

        // when the result of the call is lost, as when the server dies before it is recorded
        server.execute("delete from run_step where run_id in (select id from run where flow_id = $1)", parent.id());
        server.execute("update run set owner = '' where flow_id = $1", parent.id());
        outside.awaitCalls(4);
        outside.release();

        // then
        assertThat(parent.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(child.runs()).hasSize(2);
    }
}
