package io.millrace.engine.run.waitpoint;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Paused runs: until a time, a link, or the next call of their webhook (contract flows-and-engine 12, 13.4). */
class PauseIT {
    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with("AP_WEBHOOK_TIMEOUT_SECONDS", "4").start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void pausesForAnHour_andResumesAfterIt() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'n':'{{trigger.output.body.n}}'}")
                        .delay("step_2", 3600)
                        .map("step_3", "{'n':'{{step_1.output.n}}'}"));

        // when
        flow.call(json("{'n':7}"));
        var paused = paused(flow);

        // then
        assertThat(paused.at("/steps/step_1/output")).isEqualTo(json("{'n':7}"));
        assertThat(paused.at("/steps/step_2/status").asText()).isEqualTo("PAUSED");
        assertThat(paused.path("steps").has("step_3")).isFalse();
        assertThat(paused.path("stepsCount").asInt()).isEqualTo(2);
        assertThat(paused.path("finishTime").isNull()).isTrue();

        // when
        server.clock().advance(Duration.ofMinutes(59));
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
        server.clock().advance(Duration.ofMinutes(1));

        // then
        var ended = flow.ended(1);
        assertThat(ended.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(ended.at("/steps/step_2/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(ended.at("/steps/step_2/output")).isEqualTo(json("{'delayForInMs':3600000,'success':true}"));
        assertThat(ended.at("/steps/step_3/output/n").asInt()).isEqualTo(7);
        assertThat(ended.path("stepsCount").asInt()).isEqualTo(3);
        assertThat(leftBehind(ended)).isZero();
    }

    @Test
    void refusesAPauseOfMoreDaysThanAllowed() {
        // given
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 31 * 86_400));

        // when
        var run = flow.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("PausedFlowTimeoutError");
    }

    @Test
    void failsTheWaitingStep_whenTheRunIsNotResumedInTime() {
        // given two runs that wait for a decision, one of which continues on failure, and one that waits for a time
        var failing = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        var continuing = LiveFlow.publish(
                owner,
                webhook()
                        .approvalLinks("step_1")
                        .waitForApproval("step_2")
                        .continuing()
                        .map("step_3", "{'why':'{{step_2.error.message}}'}"));
        var delayed = LiveFlow.publish(owner, webhook().delay("step_1", 3600));
        for (var flow : List.of(failing, continuing, delayed)) {
            flow.call(json("{}"));
            paused(flow);
        }

        // when they have begun long ago
        server.execute("update run set start_time = start_time - interval '30 days' where flow_id = any($1)", (Object)
                new String[] {failing.id(), continuing.id(), delayed.id()});

        // then
        var failed = failing.ended(1);
        assertThat(failed.path("status").asText()).isEqualTo("FAILED");
        assertThat(failed.at("/failedStep/name").asText()).isEqualTo("step_2");
        assertThat(failed.at("/steps/step_2/errorMessage").asText()).contains("PausedFlowTimeoutError", "30 days");
        assertThat(failed.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
        var continued = continuing.ended(1);
        assertThat(continued.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(continued.at("/steps/step_3/output/why").asText()).contains("PausedFlowTimeoutError");
        assertThat(delayed.newest().path("status").asText()).isEqualTo("PAUSED");
        assertThat(leftBehind(failed)).isZero();
    }

    @Test
    void pausesInEachIteration_andDoesNothingTwice() {
        // given
        var body = steps().map("step_2", "{'i':'{{step_1.output.index}}'}")
                .approvalLinks("step_3")
                .waitForApproval("step_4")
                .map("step_5", "{'yes':'{{step_4.output.approved}}'}");
        var flow = LiveFlow.publish(owner, webhook().eachX("step_1", body));

        // when
        flow.call(json("{'xs':['a','b']}"));
        var first = paused(flow);
        follow(first.at("/steps/step_1/output/iterations/0/step_3/output/approvalLink"));
        Waiting.until(
                "the second iteration waits",
                () -> flow.newest()
                        .at("/steps/step_1/output/iterations/1/step_4/status")
                        .asText()
                        .equals("PAUSED"));
        var second = flow.newest();
        follow(second.at("/steps/step_1/output/iterations/1/step_3/output/disapprovalLink"));

        // then
        var ended = flow.ended(1);
        assertThat(first.at("/steps/step_1/output/iterations")).hasSize(1);
        assertThat(ended.path("status").asText()).isEqualTo("SUCCEEDED");
        var iterations = ended.at("/steps/step_1/output/iterations");
        assertThat(iterations.at("/0/step_5/output/yes").asBoolean()).isTrue();
        assertThat(iterations.at("/1/step_5/output/yes").asBoolean()).isFalse();
        assertThat(iterations.at("/0/step_3")).isEqualTo(first.at("/steps/step_1/output/iterations/0/step_3"));
        assertThat(ended.path("stepsCount").asInt()).isEqualTo(8);
        assertThat(leftBehind(ended)).isZero();
    }

    @Test
    void resumesOnce_whenManyCallAtTheSameTime() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook().approvalLinks("step_1").waitForApproval("step_2").delay("step_3", 3600));
        flow.call(json("{}"));
        var link = paused(flow).at("/steps/step_1/output/approvalLink").asText();

        // when
        var calls = IntStream.range(0, 8)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> call("POST", link, "")))
                .toList();
        var recorded = calls.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.text("/message").contains("has been recorded"))
                .count();

        // then
        assertThat(recorded).isEqualTo(1);
        Waiting.until(
                "the run waits at the delay",
                () -> flow.newest().at("/steps/step_3/status").asText().equals("PAUSED"));
        assertThat(call("POST", link, "").text("/message")).contains("used already");
        assertThat(call("POST", link.replace("?", "/sync?"), "{}").status()).isEqualTo(410);
        server.clock().advance(Duration.ofHours(1));
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(call("POST", link.replace("?", "/sync?"), "{}")
                        .body()
                        .path("flowRunStatus")
                        .asText())
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void keepsASignal_thatArrivesBeforeThePause() {
        // given a run whose pause is not visible in the database yet
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 3600));
        flow.call(json("{}"));
        var runId = paused(flow).path("id").asText();
        server.execute("update run set status = 'RUNNING', owner = 'dead' where id = $1", runId);
        server.execute("insert into node (id, lease_until) values ('dead', 'infinity')");

        // when
        assertThat(call("POST", address(runId), "{'a':1}").status()).isEqualTo(200);
        assertThat(flow.newest().path("status").asText()).isEqualTo("RUNNING");
        server.execute("delete from node where id = 'dead'");

        // then
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void answersAndWaitsForTheNextCall_andAnswersThatCaller() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .answerAndWait("step_1", "{'turn':1}")
                        .returnJson(
                                "step_2",
                                "{'got':'{{step_1.output.body.word}}','q':'{{step_1.output.queryParams.k}}'}"));

        // when
        var first = flow.callAndWait(json("{}"));
        var next =
                first.headers().firstValue("x-activepieces-resume-webhook-url").orElseThrow();
        var second = call("PUT", next + "&k=v", "{'word':'hello'}");

        // then
        assertThat(first.body()).isEqualTo(json("{'turn':1}"));
        assertThat(next).contains("/sync?created=").contains("runId=");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(json("{'got':'hello','q':'v'}"));
        var ended = flow.ended(1);
        assertThat(ended.at("/steps/step_1/output").properties().stream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("body", "headers", "queryParams");
        assertThat(call("POST", next, "{}").status()).isEqualTo(409);
    }

    @Test
    void answersTheFirstCaller_whenTheRunResumesInTime() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .approvalLinks("step_1")
                        .waitForApproval("step_2")
                        .returnJson("step_3", "{'yes':'{{step_2.output.approved}}'}"));

        // when
        var caller = flow.callAsync("/sync", json("{}"));
        follow(paused(flow).at("/steps/step_1/output/approvalLink"));

        // then
        assertThat(caller.join().body()).isEqualTo(json("{'yes':true}"));
    }

    @Test
    void resumesAtTheCalledNode() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook().answerAndWait("step_1", "{}").returnJson("step_2", "{'got':'{{step_1.output.body.word}}'}"));
        var next = flow.callAndWait(json("{}"))
                .headers()
                .firstValue("x-activepieces-resume-webhook-url")
                .orElseThrow();

        // when
        try (var second = server.successor()) {
            var answer = call(second, "POST", next, "{'word':'hello'}");
            var again = call("POST", next, "{'word':'again'}");

            // then
            assertThat(answer.body()).isEqualTo(json("{'got':'hello'}"));
            assertThat(again.status()).isIn(409, 410);
            assertThat(flow.ended(1).at("/steps/step_1/output/body/word").asText())
                    .isEqualTo("hello");
        }
    }

    @Test
    void keepsTheLog_whenARunIsCancelledWhileItWaits() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().eachX("step_1", steps().map("step_2", "{}").delay("step_3", 3600)));
        flow.call(json("{'xs':['a','b']}"));
        var paused = paused(flow);

        // when
        var wanted = Json.object().put("projectId", owner.projectId());
        wanted.putArray("flowRunIds").add(paused.path("id").asText());
        assertThat(owner.api().post("/v1/flow-runs/cancel", wanted).status()).isEqualTo(200);

        // then
        var ended = flow.ended(1);
        assertThat(ended.path("status").asText()).isEqualTo("CANCELED");
        assertThat(ended.path("steps")).isEqualTo(paused.path("steps"));
        assertThat(ended.at("/steps/step_1/output/item").asText()).isEqualTo("a");
        assertThat(leftBehind(ended)).isZero();
    }

    @Test
    void answersACallerWithATimeout_whenTheRunPausesTooLong() {
        // given
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 3600));

        // when
        var answer = flow.callAndWait(json("{}"));

        // then
        assertThat(answer.status()).isEqualTo(408);
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
    }

    @Test
    void refusesWhatIsNotThere() {
        // given
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 3600));
        flow.call(json("{}"));
        var runId = paused(flow).path("id").asText();

        // then
        for (var rest : new String[] {"", "/sync", "/confirm"}) {
            assertThat(call("POST", path(Ids.next(), Ids.next()) + rest, "{}").status())
                    .isEqualTo(404);
            assertThat(call("POST", path("none", "none") + rest, "{}").status()).isEqualTo(404);
        }
        assertThat(call("POST", path(runId, Ids.next()), "{}").text("/message")).contains("used already");
        assertThat(call("POST", path(runId, Ids.next()) + "/sync", "{}").status())
                .isEqualTo(410);
        for (var method : new String[] {"GET", "POST"}) {
            assertThat(call(method, "/v1/flow-runs/" + runId + "/requests/any", "")
                            .status())
                    .isEqualTo(404);
        }
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
    }

    /** The only run of a flow, after it has paused. */
    private static JsonNode paused(LiveFlow flow) {
        Waiting.until(
                "the run is paused",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        return flow.newest();
    }

    private static void follow(JsonNode link) {
        assertThat(call("POST", link.asText(), "").text("/message")).contains("has been recorded");
    }

    /** Calls an address of a link, or a path of the API. */
    private static Answer call(String method, String url, String body) {
        return call(server, method, url, body);
    }

    private static Answer call(TestServer node, String method, String url, String body) {
        var uri = URI.create(url);
        var path = uri.getRawPath().replaceFirst("^/api", "");
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return node.anonymous()
                .send(
                        method,
                        path + query,
                        body.isEmpty() ? Map.of() : Map.of("Content-Type", "application/json"),
                        body.replace('\'', '"'));
    }

    private static String path(String runId, String waitpointId) {
        return "/v1/flow-runs/" + runId + "/waitpoints/" + waitpointId;
    }

    /** Address of the only waitpoint of a run. */
    private static String address(String runId) {
        return path(runId, server.text("select id from waitpoint where run_id = $1", runId));
    }

    private static long leftBehind(JsonNode run) {
        return server.count(
                "select (select count(*) from waitpoint where run_id = $1) + (select count(*) from run where id = $1)"
                        + " + (select count(*) from run_step where run_id = $1)",
                run.path("id").asText());
    }
}
