package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.callable;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.Waiting;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls whose items have a deduplication key (contract flows-and-engine 18.6, decision 0319). */
class DedupeKeyIT extends OpenServer {
    /** A flow that begins with the body of its call, and stores it. */
    private static LiveFlow seeing() {
        return LiveFlow.publish(admin, callable().map("step_1", "{'seen':'{{trigger.output}}'}"));
    }

    private static void awaitRuns(LiveFlow flow, int count) {
        Waiting.until(
                count + " runs have ended well",
                () -> flow.runs().stream()
                                .filter(run -> run.path("status").asText().equals("SUCCEEDED"))
                                .count()
                        == count);
        assertThat(flow.runs()).hasSize(count);
    }

    private static JsonNode seen(LiveFlow flow, JsonNode run) {
        return flow.run(run.path("id").asText()).at("/steps/step_1/output/seen");
    }

    @Test
    void startsOneRun_whenManyCallsBringTheSameKeyAtOnce() {
        // given
        var flow = seeing();

        // when
        var calls = IntStream.range(0, 40)
                .mapToObj(n -> flow.callAsync("", json("{'_dedupe_key':'a','n':" + n + "}")))
                .toList();
        var answers = calls.stream().map(call -> call.join()).toList();

        // then
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(json("{}"));
        });
        awaitRuns(flow, 1);
        assertThat(seen(flow, flow.newest()).has("_dedupe_key")).isFalse();
        assertThat(flow.newest().hasNonNull("startTime")).isTrue();

        // when another key arrives, and the same key after the end of the window
        flow.call(json("{'_dedupe_key':'b'}"));
        server.execute("update run_dedupe set seen = seen - interval '31 seconds' where key = 'a'");
        flow.call(json("{'_dedupe_key':'a'}"));
        flow.call(json("{'_dedupe_key':'a'}"));

        // then
        awaitRuns(flow, 3);
    }

    @Test
    void keepsWhoCalled_andPreparesTheRunBeforeItBegins() {
        // given
        var flow = seeing();
        var parentId = Ids.next();
        var headers = Map.of(
                "ap-parent-run-id", parentId, "ap-fail-parent-on-failure", "false", "Content-Type", "application/json");
        var body = json("{'_dedupe_key':'b','data':3,'callbackUrl':'https://mill.example/back'}");

        // when
        admin.api().send("POST", "/v1/webhooks/" + flow.id(), headers, Json.text(body));

        // then
        awaitRuns(flow, 1);
        var called = flow.newest();
        assertThat(called.path("parentRunId").asText()).isEqualTo(parentId);
        assertThat(called.path("failParentOnFailure").asBoolean()).isFalse();
        assertThat(seen(flow, called)).isEqualTo(json("{'data':3,'callbackUrl':'https://mill.example/back'}"));
        assertThat(server.count(
                        "select count(*) from store_entry where key = $1",
                        "flow_" + flow.id() + "/callableFlow_"
                                + called.path("id").asText()))
                .isEqualTo(1);
    }

    @Test
    void answersSyncCallers_whetherOrNotTheKeyIsADuplicate() {
        // given
        var flow = LiveFlow.publish(admin, webhook().returnJson("step_1", "{'seen':'{{trigger.output}}'}"));
        assertThat(raw(flow, "").status()).isEqualTo(200);

        // when
        var first = raw(flow, "/sync");
        var second = raw(flow, "/sync");

        // then
        for (var answer : new Answer[] {first, second}) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(json("{'seen':{'n':1}}"));
        }
        awaitRuns(flow, 3);
        raw(flow, "");
        assertThat(flow.runs()).hasSize(3);
    }

    /** The body itself becomes the item, as for internal callers (contract flows-and-engine 17.5). */
    private static Answer raw(LiveFlow flow, String variant) {
        var headers = Map.of("Content-Type", "application/json", "ap-raw-payload", "true");
        var body = Json.text(json("{'_dedupe_key':'a','n':1}"));
        return admin.api().send("POST", "/v1/webhooks/" + flow.id() + variant, headers, body);
    }

    @Test
    void takesADraftForNoEvent() {
        // given
        var flow = seeing();
        var body = json("{'_dedupe_key':'a'}");

        // when
        flow.callAsync("/draft", body).join();
        flow.callAsync("/draft", body).join();
        flow.call(body);
        flow.call(body);

        // then
        awaitRuns(flow, 1);
        assertThat(server.count("""
                        select count(*) from (select flow_id, environment from run
                          union all select flow_id, environment from ended_run) r
                        where flow_id = $1 and environment = 'TESTING'
                        """, flow.id())).isEqualTo(1);
    }
}
