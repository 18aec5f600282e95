package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Version of a flow that a call starts, and responses to its caller (contract flows-and-engine 17.1, 17.2). */
class WebhookIT {
    private static final String ANSWER_OK = "{'responseType':'json','fields':{'status':200,'body':{'ok':true}}}";

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "5"));

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH"})
    void acceptsAndRuns_withAnyMethod(String method) {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));

        // when
        var accepted = hooks.call(method, flowId, BodyPublishers.noBody());
        var answered = hooks.call(method, flowId + "/sync", BodyPublishers.noBody());

        // then
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(accepted.body()).isEqualTo("{}");
        assertThat(answered.statusCode()).isEqualTo(200);
        assertThat(answered.body()).isEqualTo("{\"ok\":true}");
        Waiting.until(
                "both runs have ended",
                () -> hooks.runs(flowId).findValuesAsText("status").stream()
                                .filter("SUCCEEDED"::equals)
                                .count()
                        == 2);
        var trigger = hooks.run(hooks.runs(flowId).path(0).path("id").asText()).at("/steps/trigger/output");
        assertThat(trigger.path("method").asText()).isEqualTo(method);
    }

    @Test
    void answersTheHeadOnly_whenTheMethodIsHead() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));

        // when
        var accepted = hooks.call("HEAD", flowId, BodyPublishers.noBody());
        var answered = hooks.call("HEAD", flowId + "/sync", BodyPublishers.noBody());

        // then
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(answered.statusCode()).isEqualTo(200);
        assertThat(accepted.body() + answered.body()).isEmpty();
        try (var connection = hooks.raw()) {
            var head = "HEAD /api/v1/webhooks/" + flowId + "/sync HTTP/1.1\nHost: h\n\n";
            assertThat(connection.send(head).answer(false).status()).isEqualTo(200);
            assertThat(connection.send(head).answer(false).status()).isEqualTo(200);
        }
    }

    @Test
    void appliesAChangeWithoutANotice_afterAMinute() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));
        assertThat(hooks.post(flowId + "/sync", "application/json", "{}").statusCode())
                .isEqualTo(200);

        // when
        hooks.server().execute("update flow set status = 'DISABLED' where id = '" + flowId + "'");
        hooks.server().clock().advance(Duration.ofMinutes(1));

        // then
        assertThat(hooks.post(flowId + "/sync", "application/json", "{}").statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/sync", "/draft", "/draft/sync", "/test"})
    void answers410_whenThereIsNoSuchFlow(String variant) {
        var answer = hooks.post(Ids.next() + variant, "application/json", "{}");

        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(answer.headers().firstValue("x-webhook-id").orElseThrow()).matches("req_[0-9a-zA-Z]{21}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/sync", "/draft", "/draft/sync", "/test"})
    void answers400_whenTheIdIsMalformed(String variant) {
        for (var id : new String[] {"short", "a%00b", "%ff%fe", "123456789012345678901234", "..%2f..%2fetc"}) {
            var answer = hooks.post(id + variant, "application/json", "{}");

            assertThat(answer.statusCode()).as(id).isEqualTo(400);
            assertThat(Hooks.parsed(answer).path("message").asText())
                    .startsWith("params/flowId Invalid string: must match pattern");
        }
    }

    @Test
    void answers404_whenTheFlowIsDisabled_andRunsNothing() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));
        hooks.operate(flowId, "CHANGE_STATUS", Json.object().put("status", "DISABLED"));

        // when
        var accepted = hooks.get(flowId);
        var answered = hooks.get(flowId + "/sync");

        // then
        assertThat(accepted.statusCode()).isEqualTo(404);
        assertThat(accepted.body()).isEqualTo("{}");
        assertThat(answered.statusCode()).isEqualTo(404);
        assertThat(answered.body()).isEqualTo("{}");
        assertThat(accepted.headers().firstValue("x-webhook-id")).isPresent();
        assertThat(hooks.runs(flowId)).isEmpty();
    }

    @Test
    void runsAgain_whenTheFlowIsEnabledAgain() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));
        hooks.operate(flowId, "CHANGE_STATUS", Json.object().put("status", "DISABLED"));
        assertThat(hooks.get(flowId + "/sync").statusCode()).isEqualTo(404);

        // when
        hooks.operate(flowId, "CHANGE_STATUS", Json.object().put("status", "ENABLED"));

        // then
        assertThat(hooks.get(flowId + "/sync").statusCode()).isEqualTo(200);
    }

    @Test
    void runsTheDraftOfADisabledFlow_asATest() {
        // given
        var flowId = hooks.draft(Hooks.trigger(), Hooks.answering(ANSWER_OK));

        // when
        var published = hooks.get(flowId);
        var accepted = hooks.get(flowId + "/draft");
        var answered = hooks.get(flowId + "/draft/sync");

        // then
        assertThat(published.statusCode()).isEqualTo(404);
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(answered.body()).isEqualTo("{\"ok\":true}");
        Waiting.until(
                "both runs are there",
                () -> hooks.server()
                                .count(
                                        "select count(*) from ended_run where flow_id = $1 and environment = 'TESTING'",
                                        flowId)
                        == 2);
        assertThat(hooks.runs(flowId)).isEmpty();
    }

    @Test
    void runsThePublishedVersion_andTheLatestOneAsDraft() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering("{'responseType':'raw','fields':{'body':'first'}}"));
        var edited = Hooks.answering("{'responseType':'raw','fields':{'body':'second'}}")
                .put("name", "step_1");
        hooks.operate(flowId, "UPDATE_ACTION", edited);

        // when
        var published = hooks.get(flowId + "/sync");
        var latest = hooks.get(flowId + "/draft/sync");
        hooks.operate(flowId, "LOCK_AND_PUBLISH", Json.object());
        var publishedAgain = hooks.get(flowId + "/sync");

        // then
        assertThat(published.body()).isEqualTo("first");
        assertThat(latest.body()).isEqualTo("second");
        assertThat(publishedAgain.body()).isEqualTo("second");
    }

    @Test
    void keepsASampleOnly_whenCalledForATest() {
        // given
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));

        // when
        var answer = hooks.post(flowId + "/test", "application/json", "{\"a\":1}");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(hooks.sample(flowId).at("/body/a").asInt()).isEqualTo(1);
        assertThat(hooks.runs(flowId)).isEmpty();
    }

    @Test
    void linksTheRunToItsParent_whenTheCallerNamesOne() {
        // given
        var flowId = hooks.flow(Hooks.trigger());
        var parent = Ids.next();

        // when
        hooks.get(flowId, "ap-parent-run-id", parent, "ap-fail-parent-on-failure", "true");

        // then
        var run = hooks.endedRun(flowId);
        assertThat(run.path("parentRunId").asText()).isEqualTo(parent);
        assertThat(run.path("failParentOnFailure").asBoolean()).isTrue();
    }

    @Test
    void runsWithoutParent_whenTheHeaderIsInvalid() {
        // given
        var flowId = hooks.flow(Hooks.trigger());

        // when
        var answer = hooks.get(flowId, "ap-parent-run-id", "x".repeat(5000), "ap-fail-parent-on-failure", "maybe");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        var run = hooks.endedRun(flowId);
        assertThat(run.path("parentRunId").asText("")).isIn("", "null");
        assertThat(run.path("failParentOnFailure").asBoolean()).isFalse();
    }

    @Test
    void takesTheBodyForThePayload_whenAnInternalCallerAsks() {
        // given
        var flowId = hooks.draft(Hooks.trigger());
        var body = BodyPublishers.ofString("{\"data\":1}");

        // when
        hooks.call("POST", flowId + "/test", body, "Content-Type", "application/json", "ap-raw-payload", "true");
        var without = hooks.sample(flowId);
        hooks.call(
                "POST",
                flowId + "/test",
                body,
                "Content-Type",
                "application/json",
                "ap-raw-payload",
                "true",
                "Authorization",
                "Bearer x");

        // then
        assertThat(without.at("/body/data").asInt()).isEqualTo(1);
        assertThat(Json.text(hooks.samples(flowId))).contains("\"payload\":{\"data\":1}");
    }

    @Test
    void answersAnyOrigin() {
        var flowId = hooks.draft(Hooks.trigger());

        var answer = hooks.get(flowId + "/test", "Origin", "https://shop.example");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
    }

    @Test
    void ignoresATrailingSlash_andRefusesOtherVariants() {
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering(ANSWER_OK));

        assertThat(hooks.get(flowId + "/sync/").statusCode()).isEqualTo(200);
        assertThat(hooks.get(flowId + "/later").statusCode()).isEqualTo(404);
    }

    @Test
    void answers410_whenTheFlowIsDeleted() {
        // given
        var flowId = hooks.flow(Hooks.trigger());
        assertThat(hooks.get(flowId).statusCode()).isEqualTo(200);

        // when
        hooks.delete(flowId);

        // then
        Waiting.until("the flow is gone", () -> hooks.get(flowId).statusCode() == 410);
    }
}
