package io.millrace.app;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ChannelClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two nodes on one database, without a cluster engine: changes acknowledged by one node apply at the other. */
@Slow(Slow.Reason.PROCESS)
final class TwoNodesIT {
    private static final int CHANGES = Integer.getInteger("millrace.changes", 25);

    @AutoClose
    private static TestServer first = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn owner = first.signUp("owner@example.com", "Olga");

    @AutoClose
    private static TestServer second = first.successor();

    @AutoClose
    private Outside outside = Outside.start();

    @Test
    void answersWithTheVersionThatTheOtherNodePublished() {
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'version':0}"));
        var elsewhere = flow.at(second);
        for (var version = 1; version <= CHANGES; version++) {
            flow.change(webhook().returnJson("step_1", "{'version':" + version + "}"));
            flow.publish();
            assertThat(elsewhere
                            .callAndWait(Json.object())
                            .body()
                            .path("version")
                            .asInt())
                    .isEqualTo(version);
        }
    }

    @Test
    void refusesAndTakesEvents_asTheOtherNodeDisabledAndEnabledTheFlow() {
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        var elsewhere = flow.at(second);
        assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
        for (var change = 0; change < CHANGES; change++) {
            assertThat(flow.operate(status("DISABLED")).status()).isEqualTo(200);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(404);
            assertThat(flow.operate(status("ENABLED")).status()).isEqualTo(200);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
        }
    }

    @Test
    void refusesEvents_whenTheOtherNodeDeletedTheFlow() {
        for (var change = 0; change < CHANGES; change++) {
            var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
            var elsewhere = flow.at(second);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(200);
            assertThat(owner.api().delete("/v1/flows/" + flow.id()).status()).isEqualTo(204);
            assertThat(elsewhere.call(Json.object()).status()).isEqualTo(410);
        }
    }

    @Test
    void answersTheCallerAtItsNode_whenTheRunContinuesAtTheOtherNode() {
        var flow = LiveFlow.publish(owner, approval().returnJson("step_3", "{'yes':'{{step_2.output.approved}}'}"));
        var caller = flow.callAsync("/sync", Json.object());
        var link = pausedRun(flow).at("/steps/step_1/output/approvalLink").asText();
        follow(second, link);
        assertThat(caller.join().body().path("yes").asBoolean()).isTrue();
    }

    @Test
    void answersTheCallerAtItsNode_whenTheRunFailsAtTheOtherNode() {
        var flow = LiveFlow.publish(owner, approval().http("step_3", "GET", "http://127.0.0.1:1/"));
        var caller = flow.callAsync("/sync", Json.object());
        var link = pausedRun(flow).at("/steps/step_1/output/approvalLink").asText();
        follow(second, link);
        assertThat(caller.join().status()).isEqualTo(500);
    }

    @Test
    void listsBothNodes() {
        Waiting.until("both nodes have described themselves", () -> {
            var nodes = owner.api().get("/v1/worker-machines").body();
            return nodes.size() == 2
                    && nodes.valueStream()
                            .allMatch(node -> node.path("status").asText().equals("ONLINE")
                                    && node.at("/information/heapMaxBytes").asLong() > 0);
        });
    }

    @Test
    void cancelsARunThatPausedAtTheOtherNode() {
        var flow = LiveFlow.publish(owner, approval().map("step_3", "{'done':true}"));
        flow.call(Json.object());
        var run = pausedRun(flow);
        var wanted = Json.object().put("projectId", owner.projectId());
        wanted.putArray("flowRunIds").add(run.path("id").asText());
        assertThat(owner.api().at(second).post("/v1/flow-runs/cancel", wanted).status())
                .isLessThan(300);
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("CANCELED");
    }

    @Test
    void retriesARunThatFailedAtTheOtherNode() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().map("step_1", "{'n':1}").http("step_2", "GET", outside.url("/broken")));
        flow.call(Json.object());
        var failed = flow.ended(1).path("id").asText();
        outside.repair();
        var wanted = Json.object().put("projectId", owner.projectId());

        // when
        var fromTheStep = retry(failed, wanted.deepCopy().put("strategy", "FROM_FAILED_STEP"));
        Waiting.until(
                "the run has succeeded",
                () -> flow.run(failed).path("status").asText().equals("SUCCEEDED"));
        var again = retry(failed, wanted.deepCopy().put("strategy", "ON_LATEST_VERSION"));

        // then it is the same run, and then another one
        assertThat(fromTheStep).isEqualTo(failed);
        assertThat(again).isNotEqualTo(failed);
        Waiting.until(
                "the other run has succeeded",
                () -> flow.run(again).path("status").asText().equals("SUCCEEDED"));
    }

    private static String retry(String runId, ObjectNode wanted) {
        var answer = owner.api().at(second).post("/v1/flow-runs/" + runId + "/retry", wanted);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.text("/id");
    }

    @Test
    void notifiesSubscribersOfTheListOfRuns_whenOneBeginsAtTheOtherNode() {
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        try (var looking = ChannelClient.of(second, owner)) {
            looking.emit("WATCH_RUNS", Json.object());
            var told = CompletableFuture.supplyAsync(() -> looking.await("42[\"RUNS_CHANGED\""));
            Waiting.until("the other node is notified of a run", () -> {
                flow.call(Json.object());
                return told.isDone();
            });
            assertThat(told.join()).contains("runIds");
        }
    }

    @Test
    void opensAConnectionThatTheOtherNodeChanged() {
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'secret':'{{connections.shared}}'}"));
        for (var change = 0; change < CHANGES; change++) {
            var body = Json.object()
                    .put("externalId", "shared")
                    .put("displayName", "Shared")
                    .put("pieceName", "@activepieces/piece-http")
                    .put("projectId", owner.projectId())
                    .put("type", "SECRET_TEXT");
            body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "value " + change);
            var saved = owner.api().post("/v1/app-connections", body);
            assertThat(saved.status()).as(saved.toString()).isEqualTo(201);
            assertThat(flow.at(second).callAndWait(Json.object()).toString()).contains("value " + change);
        }
    }

    @Test
    void startsWhatALimitAllowsThatTheOtherNodeHasRaised() {
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'done':true}"));
        for (var starts = 1; starts <= CHANGES; starts++) {
            var limit = Json.object();
            limit.putObject("flow").put("starts", starts).put("periodSeconds", 3600);
            assertThat(owner.api()
                            .post("/v1/flows/" + flow.id() + "/limits", limit)
                            .status())
                    .isEqualTo(200);
            var answer = flow.at(second).callAndWait(Json.object());
            assertThat(answer.status()).as("start " + starts + ": " + answer).isEqualTo(200);
        }
    }

    @Test
    void opensWhatIsSealedWithTheKeyThatAnotherNodeHasBrought() {
        // given
        var before = variable(owner.api(), "BEFORE");
        var settings = Map.of(
                "AP_ENCRYPTION_KEY",
                "fedcba9876543210fedcba9876543210",
                "AP_KNOWN_ENCRYPTION_KEYS",
                TestServer.ENCRYPTION_KEY);
        try (var third = first.successor(settings)) {
            var there = owner.api().at(third);

            // when
            var after = variable(there, "AFTER");
            assertThat(revealed(owner.api(), after)).isEqualTo("value of AFTER");
            var rotated = there.post("/v1/encryption-key/rotate", Json.object());

            // then
            assertThat(rotated.status()).as(rotated.toString()).isEqualTo(200);
            assertThat(owner.api().get("/v1/encryption-key").text("/keyId")).isEqualTo(rotated.text("/keyId"));
            assertThat(revealed(owner.api(), before)).isEqualTo("value of BEFORE");
            assertThat(revealed(there, variable(owner.api(), "LATER"))).isEqualTo("value of LATER");
        }
    }

    private static String variable(ApiClient api, String name) {
        var body = Json.object()
                .put("projectId", owner.projectId())
                .put("name", name)
                .put("value", "value of " + name);
        return api.post("/v1/variables", body).text("/id");
    }

    private static String revealed(ApiClient api, String id) {
        return api.post("/v1/variables/" + id + "/reveal", Json.object()).text("/value");
    }

    private static FlowScript approval() {
        return webhook()
                .piece("step_1", "@activepieces/piece-approval", "0.1.13", "create_approval_links", Json.object())
                .piece("step_2", "@activepieces/piece-approval", "0.1.13", "wait_for_approval", Json.object());
    }

    private static JsonNode pausedRun(LiveFlow flow) {
        Waiting.until(
                "the run is paused",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        return flow.newest();
    }

    private static void follow(TestServer node, String link) {
        var uri = URI.create(link);
        var path = uri.getRawPath().replaceFirst("^/api", "") + "?" + uri.getRawQuery();
        assertThat(node.anonymous().post(path, Json.object()).status()).isEqualTo(200);
    }

    private static ObjectNode status(String status) {
        var operation = Json.object().put("type", "CHANGE_STATUS");
        operation.putObject("request").put("status", status);
        return operation;
    }
}
