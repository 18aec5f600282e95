package io.millrace.engine.run.ending;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Retrying runs (contract flows-and-engine 5.6, 5.7, 34.6). */
class RunRetryIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    /** Two calls of a loop, the second of which fails. */
    private FlowScript broken() {
        return webhook()
                .map("step_0", "{'n':'{{trigger.output.body.xs.length}}'}")
                .http("step_1", "POST", outside.url("/first"))
                .eachX("step_2", steps().http("step_3", "POST", outside.url("{{step_2.output.item}}")))
                .map("step_4", "{'n':'{{step_0.output.n}}','ok':'{{step_1.output.body.ok}}'}");
    }

    private static JsonNode payload() {
        return json("{'xs':['/good','/broken']}");
    }

    private Answer retry(String runId, String strategy) {
        return owner.api()
                .post(
                        "/v1/flow-runs/" + runId + "/retry",
                        Json.object().put("projectId", owner.projectId()).put("strategy", strategy));
    }

    private String failedRun(LiveFlow flow) {
        var run = flow.run(payload());
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        return run.path("id").asText();
    }

    @Test
    void doesOnlyAgainWhatFailed() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        assertThat(outside.paths()).containsExactly("/first", "/good", "/broken");
        outside.repair();
        server.clock().advance(Duration.ofMinutes(1));

        // When
        var answer = retry(runId, "FROM_FAILED_STEP");

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/id")).isEqualTo(runId);
        assertThat(answer.text("/status")).isEqualTo("QUEUED");
        assertThat(answer.body().path("finishTime").isNull()).isTrue();
        assertThat(answer.text("/startTime"))
                .isEqualTo(Json.timestamp(server.clock().instant()));
        var run = flow.ended(1);
        assertThat(run.path("id").asText()).isEqualTo(runId);
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.has("failedStep")).isFalse();
        assertThat(run.path("stepsCount").asInt()).isEqualTo(5);
        assertThat(run.at("/steps/step_2/output/iterations")).hasSize(2);
        assertThat(run.at("/steps/step_4/output")).isEqualTo(json("{'n':2,'ok':true}"));
        assertThat(outside.paths()).containsExactly("/first", "/good", "/broken", "/broken");
        assertThat(server.count("select count(*) from ended_run")).isEqualTo(1);
        assertThat(server.count("select count(*) from run_step")).isZero();
    }

    @Test
    void failsAgain_whenItIsStillBroken() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        server.execute("update ended_run set tags = '{red}', archived_at = now() where id = $1", runId);

        // When
        retry(runId, "FROM_FAILED_STEP");
        outside.awaitCalls(4);
        Waiting.until("the run has ended again", () -> server.count("select count(*) from ended_run") == 1);

        // Then
        var run = flow.run(runId);
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_3");
        assertThat(run.path("tags")).isEqualTo(json("['red']"));
        assertThat(run.hasNonNull("archivedAt")).isTrue();
        assertThat(server.count("select fence from ended_run")).isGreaterThan(0);
    }

    @Test
    void executesTheTriggerAgain_whenItHadFailed() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'n':'{{trigger.output.body.n}}'}"));
        flow.run(json("{'n':7}"));
        server.execute("alter table ended_run disable trigger ended_is_final");
        server.execute("""
                update ended_run set status = 'FAILED', failed_step_name = 'trigger', failed_step_display_name = 'T',
                  log = convert_to(replace(replace(convert_from(log, 'UTF8'), '"PIECE_TRIGGER","status":"SUCCEEDED"',
                    '"PIECE_TRIGGER","status":"FAILED"'), '"n":7', '"n":8'), 'UTF8')
                """);
        var failed = flow.newestId();
        assertThat(flow.run(failed).at("/steps/trigger/status").asText()).isEqualTo("FAILED");

        // When
        retry(failed, "FROM_FAILED_STEP");
        Waiting.until("the run has ended", () -> server.count("select count(*) from ended_run") == 1);

        // Then
        var run = flow.run(failed);
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/trigger/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/n").asInt()).isEqualTo(8);
    }

    @Test
    void startsANewRun_onTheLatestVersion() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        flow.change(webhook().map("step_9", "{'xs':'{{trigger.output.body.xs}}'}"));
        flow.publish();

        // When
        var answer = retry(runId, "ON_LATEST_VERSION");

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/id")).isNotEqualTo(runId);
        assertThat(answer.text("/status")).isEqualTo("QUEUED");
        assertThat(answer.body().path("finishTime").isNull()).isTrue();
        assertThat(answer.text("/environment")).isEqualTo("PRODUCTION");
        Waiting.until("both have ended", () -> server.count("select count(*) from ended_run") == 2);
        var run = flow.run(answer.text("/id"));
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_9/output/xs")).hasSize(2);
        assertThat(run.path("flowVersionId")).isNotEqualTo(flow.run(runId).path("flowVersionId"));
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("FAILED");
    }

    @Test
    void knowsNoLatestVersion_ofAFlowThatWasNeverLocked() {
        // Given
        var flow = LiveFlow.draft(owner, webhook().loop("step_1", "no list", steps()));
        flow.callAsync("/draft/sync", json("{}")).join();
        server.execute("update ended_run set environment = 'PRODUCTION'");
        var runId = flow.newestId();

        // When
        var answer = retry(runId, "ON_LATEST_VERSION");

        // Then
        assertThat(answer.status()).isEqualTo(404);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void leavesARunAsItIs_thatLivesOrHasSucceeded() {
        // Given
        var held = LiveFlow.publish(owner, webhook().http("step_1", "POST", outside.url("/held")));
        held.call(json("{}"));
        outside.awaitCalls(1);
        var live = held.newestId();
        var good = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var succeeded = good.run(json("{}"));

        // Then
        assertThat(retry(live, "FROM_FAILED_STEP").text("/status")).isEqualTo("RUNNING");
        var answer = retry(succeeded.path("id").asText(), "FROM_FAILED_STEP");
        assertThat(answer.text("/status")).isEqualTo("SUCCEEDED");
        assertThat(answer.text("/startTime"))
                .isEqualTo(succeeded.path("startTime").asText());
        assertThat(outside.calls()).hasSize(1);
    }

    @Test
    void keepsLargeOutputs_andRefusesWhenOneHasGone() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .map("step_1", "{'big':'{{trigger.output.body.big}}'}")
                        .http("step_2", "POST", outside.url("/broken"))
                        .map("step_3", "{'size':'{{step_1.output.big.length}}'}"));
        var large = Json.object().put("big", "x".repeat(60_000));
        var kept = flow.run(large).path("id").asText();
        server.clock().advance(Duration.ofSeconds(1));
        flow.call(large);
        var gone = flow.ended(2);
        assertThat(gone.at("/steps/step_1/outputType").asText()).isEqualTo("slice");
        server.execute(
                "delete from file where id = $1",
                gone.at("/steps/step_1/output/fileId").asText());
        outside.repair();

        // When
        var refused = retry(gone.path("id").asText(), "FROM_FAILED_STEP");
        var accepted = retry(kept, "FROM_FAILED_STEP");

        // Then
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.text("/params/entityType")).isEqualTo("file");
        assertThat(flow.run(gone.path("id").asText()).path("status").asText()).isEqualTo("FAILED");
        assertThat(accepted.status()).isEqualTo(200);
        Waiting.until(
                "the run has ended",
                () -> flow.run(kept).path("status").asText().equals("SUCCEEDED"));
        assertThat(flow.run(kept).at("/steps/step_3/output/size").asInt()).isEqualTo(60_000);
    }

    @Test
    void retriesOnce_whenAskedTwiceAtTheSameTime() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        outside.repair();
        var body = Json.object().put("projectId", owner.projectId()).put("strategy", "FROM_FAILED_STEP");

        // When
        var first = owner.api().postAsync("/v1/flow-runs/" + runId + "/retry", body);
        var second = owner.api().postAsync("/v1/flow-runs/" + runId + "/retry", body);

        // Then
        assertThat(first.join().status()).isEqualTo(200);
        assertThat(second.join().status()).isEqualTo(200);
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.calls()).hasSize(4);
    }

    @Test
    void retriesWithinTheRetention_andNotBeyondIt() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        server.clock().advance(Duration.ofDays(29));
        signInAgain();

        // When
        var within = retry(runId, "FROM_FAILED_STEP");
        outside.awaitCalls(4);
        Waiting.until("the run has ended", () -> server.count("select count(*) from ended_run") == 1);
        server.clock().advance(Duration.ofDays(2));
        var beyond = retry(runId, "FROM_FAILED_STEP");

        // Then
        assertThat(within.status()).isEqualTo(200);
        assertThat(beyond.status()).isEqualTo(410);
        assertThat(beyond.text("/code")).isEqualTo("FLOW_RUN_RETRY_OUTSIDE_RETENTION");
        assertThat(beyond.body().path("params"))
                .isEqualTo(Json.object().put("flowRunId", runId).put("failedJobRetentionDays", 30));
        assertThat(outside.calls()).hasSize(4);
    }

    private void signInAgain() {
        var body = Json.object().put("email", "ada@example.com").put("password", "correct horse");
        var token = server.anonymous().post("/v1/authentication/sign-in", body).text("/token");
        owner = new TestServer.SignedIn(
                server.anonymous().with(token), owner.userId(), owner.platformId(), owner.projectId());
    }

    @Test
    void retriesMany_andNamesTheRefusedOnes() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var first = failedRun(flow);
        server.clock().advance(Duration.ofSeconds(1));
        flow.call(payload());
        flow.ended(2);
        server.clock().advance(Duration.ofSeconds(1));
        flow.call(json("{'xs':[]}"));
        flow.ended(3);
        server.execute("update ended_run set log = null where id = $1", first);
        outside.repair();

        // When
        var body = Json.object().put("projectId", owner.projectId()).put("strategy", "FROM_FAILED_STEP");
        var answer = owner.api().post("/v1/flow-runs/retry", body);

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).hasSize(2);
        assertThat(answer.body().get(0).has("error")).isFalse();
        assertThat(answer.body().get(1).path("id").asText()).isEqualTo(first);
        assertThat(answer.body().get(1).at("/error/errorCode").asText()).isEqualTo("RESUME_LOGS_FILE_MISSING");
        var retried = answer.body().get(0).path("id").asText();
        Waiting.until(
                "one has ended well",
                () -> flow.run(retried).path("status").asText().equals("SUCCEEDED"));
        assertThat(flow.run(first).path("status").asText()).isEqualTo("FAILED");
    }

    @Test
    void retriesManyOnlyAsTheFiltersSay() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        var body = Json.object().put("projectId", owner.projectId()).put("strategy", "ON_LATEST_VERSION");
        var api = owner.api();

        // Then
        assertThat(api.post("/v1/flow-runs/retry", with(body, "excludeFlowRunIds", runId))
                        .body())
                .isEmpty();
        assertThat(api.post("/v1/flow-runs/retry", with(body, "flowId", Ids.next()))
                        .body())
                .isEmpty();
        assertThat(api.post("/v1/flow-runs/retry", with(body, "status", "SUCCEEDED"))
                        .body())
                .isEmpty();
        assertThat(api.post("/v1/flow-runs/retry", body.deepCopy().put("failedStepName", "step_4"))
                        .body())
                .isEmpty();
        assertThat(flow.runs()).hasSize(1);
        assertThat(api.post("/v1/flow-runs/retry", body.deepCopy().put("failedStepMessage", "OUT OF ORDER"))
                        .body())
                .hasSize(1);
    }

    private static JsonNode with(JsonNode body, String field, String only) {
        var copy = (ObjectNode) body.deepCopy();
        copy.putArray(field).add(only);
        return copy;
    }

    @Test
    void retriesAllThatTheFiltersSelect_alsoMoreThanAPage() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().http("step_1", "GET", outside.url("/broken")));
        flow.run(json("{}"));
        server.execute("""
                insert into ended_run select (jsonb_populate_record(e, jsonb_build_object('id', left(md5(e.id || n), 21)))).*
                from ended_run e, generate_series(2, $1) n
                """, PageRequest.LIMIT_MAX + 1);

        // When
        var answer = owner.api()
                .post(
                        "/v1/flow-runs/retry",
                        with(
                                Json.object()
                                        .put("projectId", owner.projectId())
                                        .put("strategy", "ON_LATEST_VERSION"),
                                "status",
                                "FAILED"));

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body()).hasSize(PageRequest.LIMIT_MAX + 1);
    }

    @Test
    void refusesWhoMayNot_andWhatIsMalformed() {
        // Given
        var flow = LiveFlow.publish(owner, broken());
        var runId = failedRun(flow);
        var path = "/v1/flow-runs/" + runId + "/retry";
        var body = Json.object().put("projectId", owner.projectId()).put("strategy", "FROM_FAILED_STEP");
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);
        server.join(vera, owner.projectId(), "Viewer");
        var api = owner.api();

        // Then
        assertThat(vera.api().post(path, body).text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(vera.api().post("/v1/flow-runs/retry", body).text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(server.anonymous().post(path, body).status()).isEqualTo(403);
        assertThat(api.post(path, body.deepCopy().put("strategy", "AGAIN")).status())
                .isEqualTo(400);
        assertThat(api.post(path, body.deepCopy().without("projectId")).status())
                .isEqualTo(400);
        assertThat(api.post("/v1/flow-runs/short/retry", body).status()).isEqualTo(400);
        assertThat(api.post("/v1/flow-runs/" + Ids.next() + "/retry", body).status())
                .isEqualTo(404);
        assertThat(api.post(path, body.deepCopy().put("projectId", server.foreignProject()))
                        .status())
                .isEqualTo(404);
        assertThat(api.post("/v1/flow-runs/retry", body.deepCopy().put("projectId", server.foreignProject()))
                        .status())
                .isIn(403, 404);
        assertThat(api.post("/v1/flow-runs/retry", body.deepCopy().without("strategy"))
                        .status())
                .isEqualTo(400);
        assertThat(outside.calls()).hasSize(3);
    }

    @Test
    void showsInternalErrors_toAdministratorsOnly() {
        // Given
        var runId = failedRun(LiveFlow.publish(owner, broken()));
        server.execute("alter table ended_run disable trigger ended_is_final");
        server.execute("update ended_run set status = 'INTERNAL_ERROR', failed_step_message = 'a defect'");
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);
        server.join(vera, owner.projectId(), "Viewer");

        // When
        var mine = owner.api().get("/v1/flow-runs/" + runId);
        var hers = vera.api().get("/v1/flow-runs/" + runId);

        // Then
        assertThat(mine.text("/internalError/message")).isEqualTo("a defect");
        assertThat(mine.text("/internalError/source")).isEqualTo("ENGINE");
        assertThat(hers.text("/status")).isEqualTo("INTERNAL_ERROR");
        assertThat(hers.body().toString()).doesNotContain("internalError", "a defect");
    }
}
