package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to synchronous webhook callers, and their timing (contract flows-and-engine 13; seed, Events). */
class WebhookSyncIT {
    private static final String FAILED = "{\"message\":\"The flow has failed and there is no response returned\"}";
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "1"));

    @Test
    void answersJson_withStatusAndHeadersOfTheFlow() {
        var flowId = hooks.flow(Hooks.trigger(), Hooks.answering("""
            {'responseType':'json','fields':{'status':201,
             'headers':{'X-Mill':'race','Content-Type':'application/vnd.mill+json'},
             'body':{'sum':'{{trigger.output.body.a + 1}}'}}}
            """));

        var answer = hooks.post(flowId + "/sync", "application/json", "{\"a\":41}");

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(Hooks.parsed(answer).path("sum").asInt()).isEqualTo(42);
        assertThat(answer.headers().firstValue("x-mill")).contains("race");
        assertThat(answer.headers().firstValue("content-type")).contains("application/vnd.mill+json");
        assertThat(answer.headers().firstValue("x-webhook-id").orElseThrow()).startsWith("req_");
    }

    @Test
    void answersText_whenTheFlowAnswersRaw() {
        var flowId = answering("{'responseType':'raw','fields':{'status':418,'body':'short & stout ☕'}}");

        var answer = hooks.get(flowId + "/sync");

        assertThat(answer.statusCode()).isEqualTo(418);
        assertThat(answer.body()).isEqualTo("short & stout ☕");
        assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith("text/plain");
    }

    @Test
    void redirects() {
        var flowId = answering("{'responseType':'redirect','fields':{'body':'example.org/next?a=1'}}");

        var answer = hooks.get(flowId + "/sync");

        assertThat(answer.statusCode()).isEqualTo(301);
        assertThat(answer.headers().firstValue("location")).contains("https://example.org/next?a=1");
        assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
    }

    @Test
    void answersWithoutBody_whenTheStatusIs204() {
        var flowId = answering("{'responseType':'json','fields':{'status':204,'body':{'not':'sent'}}}");

        try (var connection = hooks.raw()) {
            var answer = connection
                    .send("GET /api/v1/webhooks/" + flowId + "/sync HTTP/1.1\nHost: h\n\n")
                    .answer();

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers()).doesNotContainKeys("content-length", "transfer-encoding");
            // No byte of the body is left on the connection.
            assertThat(connection
                            .send("GET /api/v1/webhooks/none HTTP/1.1\nHost: h\n\n")
                            .answer()
                            .status())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"'X-A':'one\\r\\nSet-Cookie: two'", "'X-A\\r\\nX-B':'one'", "'X A':'one'"})
    void failsTheRun_whenAHeaderWouldSplitTheAnswer(String header) {
        var flowId = answering("{'responseType':'json','fields':{'headers':{" + header + "},'body':{}}}");

        var answer = hooks.get(flowId + "/sync");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().map()).doesNotContainKeys("set-cookie", "x-b", "x-a");
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("FAILED");
    }

    @Test
    void ignoresConnectionHeaders_thatTheFlowSets() {
        var flowId = answering("""
            {'responseType':'raw','fields':{'body':'four','headers':
              {'Content-Length':'99999','Transfer-Encoding':'chunked','Connection':'upgrade','X-Kept':'yes'}}}
            """);

        try (var connection = hooks.raw()) {
            var answer = connection
                    .send("GET /api/v1/webhooks/" + flowId + "/sync HTTP/1.1\nHost: h\n\n")
                    .answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).containsEntry("content-length", "4").containsEntry("x-kept", "yes");
            assertThat(answer.headers()).doesNotContainKey("transfer-encoding");
            assertThat(answer.body()).isEqualTo("four");
        }
    }

    /** Immediately: after the timeout it would be 408. */
    @Test
    void answers500WithoutDetail_whenTheRunFails() {
        var flowId = answering("{'responseType':'json','fields':{'body':'{secret'}}");

        var answer = hooks.get(flowId + "/sync");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).isEqualTo(FAILED);
        assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith("application/json");
        assertThat(answer.headers().firstValue("x-webhook-id")).isPresent();
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("FAILED");
    }

    @Test
    void answers500Immediately_whenAnyLimitEndsTheRun() {
        var settings = Map.of(
                "AP_WEBHOOK_TIMEOUT_SECONDS", "25", "AP_FLOW_TIMEOUT_SECONDS", "3", "AP_MAX_FLOW_RUN_LOG_SIZE_MB", "1");
        try (var strict = Hooks.start(settings)) {
            // given
            var slow = strict.flow(Hooks.trigger(), Hooks.code("export const code = async () => { while (true) {} }"));
            var loud = strict.flow(
                    Hooks.trigger(),
                    Hooks.piece(
                            "data-mapper",
                            "0.3.15",
                            "advanced_mapping",
                            "{'mapping':{'b':'{{trigger.output.body}}'}}"));

            // when
            var tooLoud = strict.post(loud + "/sync", "text/plain", "x".repeat(600_000));
            var timedOut = strict.get(slow + "/sync");

            // then
            assertThat(timedOut.statusCode()).isEqualTo(500);
            assertThat(timedOut.body()).isEqualTo(FAILED);
            assertThat(strict.endedRun(slow).path("status").asText()).isEqualTo("TIMEOUT");
            assertThat(tooLoud.statusCode()).isEqualTo(500);
            assertThat(tooLoud.body()).isEqualTo(FAILED);
            assertThat(strict.endedRun(loud).path("status").asText()).isEqualTo("LOG_SIZE_EXCEEDED");
        }
    }

    @Test
    void answers408AfterTheWholeTimeout_whenTheRunEndsWithoutAnswering() {
        var flowId = hooks.flow(Hooks.trigger());

        var begun = System.nanoTime();
        var answer = hooks.get(flowId + "/sync");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(TIMEOUT);
        assertThat(answer.statusCode()).isEqualTo(408);
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(answer.headers().firstValue("x-millrace-reason").orElseThrow())
                .contains("no response within " + TIMEOUT.toSeconds() + " s", "AP_WEBHOOK_TIMEOUT_SECONDS");
        assertThat(answer.headers().firstValue("x-webhook-id")).isPresent();
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void answers408AfterTheWholeTimeout_whenTheRunContinues_withoutEffectOnTheRun() {
        var flowId = hooks.flow(
                Hooks.trigger(), Hooks.waiting(2), Hooks.answering("{'responseType':'raw','fields':{'body':'late'}}"));

        var begun = System.nanoTime();
        var answer = hooks.get(flowId + "/sync");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(TIMEOUT);
        assertThat(answer.statusCode()).isEqualTo(408);
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void answersBeforeTheRunEnds_whenTheFlowRespondsAndContinues() {
        var flowId = hooks.flow(
                Hooks.trigger(),
                Hooks.answering("{'responseType':'raw','respond':'respond','fields':{'status':202,'body':'begun'}}"),
                Hooks.waiting(1.5),
                Hooks.answering("{'responseType':'raw','fields':{'body':'too late'}}"));

        var answer = hooks.get(flowId + "/sync");
        var statusThen = hooks.runs(flowId).path(0).path("status").asText();

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("begun");
        assertThat(statusThen).isIn("RUNNING", "QUEUED");
        assertThat(hooks.endedRun(flowId).at("/steps/step_2/status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void stopsTheRun_whenTheFlowAnswersAndStops() {
        var flowId = hooks.flow(
                Hooks.trigger(),
                Hooks.answering("{'responseType':'raw','fields':{'body':'done'}}"),
                Hooks.waiting(600));

        var answer = hooks.get(flowId + "/sync");

        assertThat(answer.body()).isEqualTo("done");
        var run = hooks.endedRun(flowId);
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("steps").has("step_2")).isFalse();
    }

    @Test
    void refusesCallers_whenBasicCredentialsAreWrong() {
        // given
        var flowId = hooks.flow(
                Hooks.trigger("{'authType':'basic','authFields':{'username':'ada','password':'lovelace'}}"),
                Hooks.answering("{'responseType':'raw','fields':{'body':'in'}}"));

        // when
        var right = hooks.get(flowId + "/sync", "Authorization", basic("ada:lovelace"));
        var wrong = hooks.get(flowId + "/sync", "Authorization", basic("ada:byron"));
        var none = hooks.get(flowId + "/sync");
        var asynchronous = hooks.get(flowId, "Authorization", basic("ada:byron"));

        // then
        assertThat(right.body()).isEqualTo("in");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).isEqualTo("{}");
        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(asynchronous.statusCode()).isEqualTo(200);
        assertThat(asynchronous.body()).isEqualTo("{}");
        Waiting.until("the one run is there", () -> hooks.runs(flowId).size() == 1);
    }

    @Test
    void refusesCallers_whenTheHeaderIsWrong() {
        // given
        var flowId = hooks.flow(
                Hooks.trigger("{'authType':'header','authFields':{'headerName':'X-Key','headerValue':'Sesame'}}"),
                Hooks.answering("{'responseType':'raw','fields':{'body':'in'}}"));

        // when
        var right = hooks.get(flowId + "/sync", "x-key", "Sesame");
        var wrong = hooks.get(flowId + "/sync", "x-key", "sesame");
        var twice = hooks.get(flowId + "/sync", "x-key", "Sesame", "x-key", "other");
        var asynchronous = hooks.get(flowId);

        // then
        assertThat(right.body()).isEqualTo("in");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(twice.statusCode()).isEqualTo(401);
        assertThat(asynchronous.statusCode()).isEqualTo(200);
        assertThat(hooks.runs(flowId)).hasSize(1);
    }

    /**
     * Only a rejected call gets an immediate error: if the trigger makes no event of a call, its caller gets a timeout.
     */
    @Test
    void answers408_whenATriggerMakesNothingOfTheCall() {
        // given
        hooks.table("grain");
        var trigger = Hooks.trigger();
        trigger.withObject("/settings")
                .put("pieceName", "@activepieces/piece-tables")
                .put("pieceVersion", "0.3.0")
                .put("triggerName", "newRecord")
                .set("input", Hooks.json("{'table_id':'grain'}"));
        var flowId = hooks.flow(trigger, Hooks.answering("{'responseType':'raw','fields':{'body':'in'}}"));

        // when
        var answered = hooks.get(flowId + "/sync");
        var accepted = hooks.get(flowId);

        // then
        assertThat(answered.statusCode()).isEqualTo(408);
        assertThat(answered.body()).isEqualTo("{}");
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(hooks.runs(flowId)).isEmpty();
    }

    @Test
    void continuesTheRun_whenTheCallerDisconnects() {
        // given
        var flowId = hooks.flow(
                Hooks.trigger(),
                Hooks.waiting(0.5),
                Hooks.answering("{'responseType':'raw','fields':{'body':'hello?'}}"));

        // when
        try (var connection = hooks.raw()) {
            connection.send("GET /api/v1/webhooks/" + flowId + "/sync HTTP/1.1\nHost: h\n\n");
            Waiting.until("the run is there", () -> hooks.runs(flowId).size() == 1);
        }

        // then
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(hooks.get(flowId + "/sync").body()).isEqualTo("hello?");
    }

    @Test
    void answers429_whenTooManyRunsAreWaiting_andTakesCallsAgainLater() {
        try (var busy = Hooks.start(Map.of("AP_WEBHOOK_BACKLOG_MAX", "1", "AP_WEBHOOK_TIMEOUT_SECONDS", "5"))) {
            // given
            var flowId = busy.flow(Hooks.trigger(), Hooks.waiting(2));

            // when
            var accepted = 0;
            var refused = busy.get(flowId);
            for (; refused.statusCode() == 200; refused = busy.get(flowId)) {
                accepted++;
            }

            // then
            assertThat(accepted).isPositive();
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(Hooks.parsed(refused).path("statusCode").asInt()).isEqualTo(429);
            assertThat(refused.headers().firstValue("x-webhook-id")).isPresent();
            Waiting.until("calls are accepted again", () -> busy.get(flowId).statusCode() == 200);
            assertThat(busy.runs(flowId).size()).isGreaterThan(accepted);
        }
    }

    @Test
    void answersEachOfSeveralRequestsInOrder_whenTheyComeAtOnce() {
        var flowId = answering("{'responseType':'raw','fields':{'body':'{{trigger.output.queryParams.n}}'}}");
        var request = "GET /api/v1/webhooks/" + flowId + "/sync?n=";

        try (var connection = hooks.raw()) {
            connection.send(request + "1 HTTP/1.1\nHost: h\n\n" + request + "2 HTTP/1.1\nHost: h\n\n" + request
                    + "3 HTTP/1.1\nHost: h\n\n");

            assertThat(connection.answer().body()).isEqualTo("1");
            assertThat(connection.answer().body()).isEqualTo("2");
            assertThat(connection.answer().body()).isEqualTo("3");
        }
    }

    @Test
    void answersTheFirstOfTwoSteps_andOnlyOnce() {
        var flowId = hooks.flow(
                Hooks.trigger(),
                Hooks.answering("{'responseType':'raw','respond':'respond','fields':{'body':'one'}}"),
                Hooks.answering("{'responseType':'raw','respond':'respond','fields':{'body':'two'}}"));

        var answer = hooks.call("POST", flowId + "/sync", BodyPublishers.noBody());

        assertThat(answer.body()).isEqualTo("one");
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    private static String answering(String input) {
        return hooks.flow(Hooks.trigger(), Hooks.answering(input));
    }

    private static String basic(String credentials) {
        return "Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
