package io.millrace.engine.run;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Canceling and archiving runs (contract flows-and-engine 5.7). */
class RunCancelIT {
    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    /** A call in a loop, then one that is held. */
    private LiveFlow held() {
        return LiveFlow.publish(
                owner,
                webhook()
                        .eachX("step_1", steps().http("step_2", "POST", outside.url("/inner")))
                        .http("step_3", "POST", outside.url("/held"))
                        .map("step_4", "{}"));
    }

    /** Starts a run that waits for the held call; returns its id. */
    private String runningRun(LiveFlow flow, int calls) {
        assertThat(flow.call(json("{'xs':[1]}")).status()).isEqualTo(200);
        outside.awaitCalls(calls);
        return flow.newestId();
    }

    private ObjectNode body(String... runIds) {
        var body = Json.object().put("projectId", owner.projectId());
        List.of(runIds).forEach(body.putArray("flowRunIds")::add);
        return runIds.length == 0 ? body.without("flowRunIds") : body;
    }

    private Answer cancel(ObjectNode body) {
        return owner.api().post("/v1/flow-runs/cancel", body);
    }

    private Answer archive(ObjectNode body) {
        return owner.api().post("/v1/flow-runs/archive", body);
    }

    @Test
    void selectsNoRun_whenTheListOfRunsIsEmpty() {
        // given
        var paused = LiveFlow.publish(owner, webhook().waitForApproval("step_1"));
        paused.call(json("{}"));
        Waiting.until(
                "the run waits",
                () -> paused.runs().size() == 1
                        && paused.newest().path("status").asText().equals("PAUSED"));
        var failing = LiveFlow.publish(
                owner, webhook().code("step_1", "export const code = async () => { throw new Error('broken') }"));
        failing.run(json("{}"));
        var none = (ObjectNode) body().set("flowRunIds", Json.array());

        // when
        var canceled = cancel(none);
        var archived = archive(none);
        var retried = owner.api().post("/v1/flow-runs/retry", none.deepCopy().put("strategy", "FROM_FAILED_STEP"));

        // then
        assertThat(List.of(canceled.status(), archived.status(), retried.status()))
                .containsOnly(200);
        assertThat(retried.body()).isEmpty();
        assertThat(paused.newest().path("status").asText()).isEqualTo("PAUSED");
        assertThat(failing.runs()).hasSize(1);
    }

    @Test
    void endsANamedRunAtOnce_andLetsNoLateResultIn() {
        // given
        var flow = held();
        var runId = runningRun(flow, 2);

        // when
        var answer = cancel(body(runId));

        // then
        assertThat(answer.status()).isEqualTo(200);
        var run = flow.run(runId);
        assertThat(run.path("status").asText()).isEqualTo("CANCELED");
        assertThat(run.hasNonNull("finishTime")).isTrue();
        assertThat(run.has("failedStep")).isFalse();
        assertThat(run.at("/steps/step_1/output/iterations/0/step_2/status").asText())
                .isEqualTo("SUCCEEDED");
        assertThat(run.path("steps").has("step_3")).isFalse();

        // when the response arrives after all
        outside.release();
        var next = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        next.run(json("{}"));

        // then
        assertThat(flow.run(runId)).isEqualTo(run);
        assertThat(server.count("select count(*) from run")).isZero();
        assertThat(server.count("select count(*) from run_step")).isZero();
        assertThat(cancel(body(runId)).status()).isEqualTo(200);
    }

    @Test
    void continuesWhereItWasCancelled_whenItIsRetried() {
        // given
        var flow = held();
        var runId = runningRun(flow, 2);
        cancel(body(runId));

        // when
        owner.api().post("/v1/flow-runs/" + runId + "/retry", body().put("strategy", "FROM_FAILED_STEP"));
        outside.awaitCalls(3);
        outside.release();

        // then
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/inner", "/held", "/held");
    }

    @Test
    void endsARunOfAnotherNode_byWhatIsRecorded() {
        // given
        var flow = held();
        var runId = runningRun(flow, 2);
        server.execute("insert into node (id, lease_until) values ('other', 'infinity')");
        server.execute("update run set owner = 'other', fence = fence + 1, status = 'PAUSED'");

        // when it is canceled without a name, too, because it is paused
        var answer = cancel(body());

        // then
        assertThat(answer.status()).isEqualTo(200);
        var run = flow.run(runId);
        assertThat(run.path("status").asText()).isEqualTo("CANCELED");
        assertThat(run.at("/steps/trigger/output/body/xs")).hasSize(1);
        assertThat(run.at("/steps/step_1/output/iterations/0/step_2/status").asText())
                .isEqualTo("SUCCEEDED");
        outside.release();
        LiveFlow.publish(owner, webhook().map("step_1", "{}")).run(json("{}"));
        assertThat(flow.run(runId)).isEqualTo(run);
        assertThat(server.count("select count(*) from run")).isZero();
    }

    @Test
    void endsAPausedRun_whichWaitsAnewWhenItIsRetried() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook().http("step_1", "POST", outside.url("/first")).eachX("step_2", steps().delay("step_3", 3600)));
        flow.call(json("{'xs':[1,2]}"));
        Waiting.until("the run is paused", () -> server.count("select count(*) from run where status = 'PAUSED'") == 1);
        var runId = flow.newestId();

        // when
        var answer = cancel(body());

        // then
        assertThat(answer.status()).isEqualTo(200);
        var run = flow.run(runId);
        assertThat(run.path("status").asText()).isEqualTo("CANCELED");
        assertThat(run.at("/steps/step_2/input/items")).hasSize(2);
        assertThat(run.at("/steps/step_2/output/iterations/0/step_3/status").asText())
                .isEqualTo("PAUSED");
        assertThat(server.count("select count(*) from waitpoint")).isZero();

        // when
        owner.api().post("/v1/flow-runs/" + runId + "/retry", body().put("strategy", "FROM_FAILED_STEP"));

        // then
        Waiting.until(
                "the run is paused again", () -> server.count("select count(*) from run where status = 'PAUSED'") == 1);
        assertThat(server.count("select count(*) from waitpoint where status = 'PENDING'"))
                .isEqualTo(1);
        assertThat(outside.paths()).containsExactly("/first");
    }

    @Test
    void endsARun_thatChangesItsOwnerWhileItIsCancelled() {
        // given a paused run that another owner claims right after it was claimed for its cancellation
        var flow = LiveFlow.publish(owner, webhook().delay("step_1", 3600));
        flow.call(json("{}"));
        Waiting.until("the run is paused", () -> server.count("select count(*) from run where status = 'PAUSED'") == 1);
        server.execute("""
                create function take() returns trigger language plpgsql as
                'begin update run set owner = ''other'', fence = fence + 1 where id = new.id; return new; end'
                """);
        server.execute("""
                create trigger taken after update of fence on run for each row
                when (new.fence < 4 and pg_trigger_depth() = 0) execute function take()
                """);

        // when
        var answer = cancel(body(flow.newestId()));

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(server.count("select count(*) from run")).isZero();
        assertThat(flow.run(flow.newestId()).path("status").asText()).isEqualTo("CANCELED");
    }

    @Test
    void leavesRunningRunsAlone_whenNoneIsNamed() {
        // given
        var flow = held();
        var runId = runningRun(flow, 2);

        // when
        var answer = cancel(body());

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("RUNNING");
        assertThat(cancel(body(runId).set("status", json("['PAUSED']"))).status())
                .isEqualTo(200);
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("RUNNING");
    }

    @Test
    void cancelsWhatARunHasCalled_alsoBehindARunThatHasEnded() {
        // given a parent, a child that has ended, and the child's child
        var flow = held();
        var parent = runningRun(flow, 2);
        var grandchild = held();
        var last = runningRun(grandchild, 4);
        var child = LiveFlow.publish(owner, webhook().map("step_1", "{}")).run(json("{}"));
        var between = child.path("id").asText();
        server.execute("update ended_run set parent_run_id = $1 where id = $2", parent, between);
        server.execute("update run set parent_run_id = $1 where id = $2", between, last);

        // when
        cancel(body(parent));

        // then
        assertThat(flow.run(parent).path("status").asText()).isEqualTo("CANCELED");
        assertThat(grandchild.run(last).path("status").asText()).isEqualTo("CANCELED");
        assertThat(flow.run(between).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    @Test
    void makesNoCall_whenARunIsCancelledDuringTheResolutionOfItsInput() {
        // given a call whose address is an expression that never ends
        var endless = LiveFlow.publish(
                owner, webhook().http("step_1", "POST", outside.url("/after?x={{(() => { while (true) {} })()}}")));
        endless.call(json("{}"));
        Waiting.until("the run is listed", () -> !endless.runs().isEmpty());

        // when
        cancel(body(endless.newestId()));

        // then
        assertThat(endless.newest().path("status").asText()).isEqualTo("CANCELED");
        LiveFlow.publish(owner, webhook().http("step_1", "POST", outside.url("/next?x={{[1].map(x => x)}}")))
                .run(json("{}"));
        assertThat(outside.paths()).containsExactly("/next");
    }

    @Test
    void ignoresRunsOfAnotherProject_thatNameARunAsTheirParent() {
        // given a run, and a run of another tenant whose caller has named it as the parent
        var flow = held();
        var parent = runningRun(flow, 2);
        var stranger = server.signUp("eve@example.com", "Eve");
        var theirs = LiveFlow.publish(stranger, webhook().http("step_1", "POST", outside.url("/held")));
        server.anonymous().send("POST", "/v1/webhooks/" + theirs.id(), Map.of("ap-parent-run-id", parent), "");
        outside.awaitCalls(3);

        // when
        cancel(body(parent));

        // then
        assertThat(flow.run(parent).path("status").asText()).isEqualTo("CANCELED");
        assertThat(theirs.newest().path("parentRunId").asText()).isEqualTo(parent);
        assertThat(theirs.newest().path("status").asText()).isEqualTo("RUNNING");
    }

    @Test
    void archivesRuns_liveOnesToo() {
        // given
        var flow = held();
        var live = runningRun(flow, 2);
        var good = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var ended = good.run(json("{}")).path("id").asText();

        // when
        assertThat(archive(body(ended)).status()).isEqualTo(200);

        // then
        assertThat(good.runs()).isEmpty();
        assertThat(flow.runs()).hasSize(1);
        assertThat(good.run(ended).path("archivedAt").asText())
                .isEqualTo(Json.timestamp(server.clock().instant()));

        // when
        archive(body());
        outside.release();

        // then
        assertThat(flow.runs()).isEmpty();
        Waiting.until("the run has ended", () -> server.count("select count(*) from run") == 0);
        assertThat(flow.runs()).isEmpty();
        assertThat(flow.run(live).hasNonNull("archivedAt")).isTrue();
    }

    @Test
    void archivesOnlyAsTheFiltersSay() {
        // given
        var good = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        var first = good.run(json("{}")).path("id").asText();

        // when
        archive((ObjectNode) body().set("excludeFlowRunIds", Json.array().add(first)));
        archive((ObjectNode) body().set("status", json("['FAILED']")));
        archive(body().put("failedStepName", "step_1"));
        archive(body().put("createdAfter", "2100-01-01T00:00:00Z"));

        // then
        assertThat(good.runs()).hasSize(1);
    }

    @Test
    void refusesWhoMayNot_andWhatIsMalformed() {
        // given
        var flow = held();
        var runId = runningRun(flow, 2);
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);
        server.join(vera, owner.projectId(), "Viewer");
        var otto = server.signUp("otto@example.com", "Otto");

        // then
        for (var operation : List.of("cancel", "archive")) {
            var path = "/v1/flow-runs/" + operation;
            assertThat(vera.api().post(path, body(runId)).text("/code")).isEqualTo("PERMISSION_DENIED");
            assertThat(server.anonymous().post(path, body(runId)).status()).isEqualTo(403);
            assertThat(otto.api()
                            .post(path, body(runId).put("projectId", otto.projectId()))
                            .status())
                    .isEqualTo(200);
            assertThat(owner.api()
                            .post(path, body(runId).put("projectId", server.foreignProject()))
                            .status())
                    .isIn(403, 404);
            assertThat(owner.api().post(path, json("{}")).status()).isEqualTo(400);
            assertThat(owner.api()
                            .post(path, body().put("createdBefore", "soon"))
                            .status())
                    .isEqualTo(400);
            assertThat(owner.api().post(path, body().put("flowRunIds", 7)).status())
                    .isEqualTo(400);
        }
        assertThat(cancel((ObjectNode) body().set("status", json("['RUNNING']")))
                        .status())
                .isEqualTo(400);
        assertThat(flow.runs()).hasSize(1);
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("RUNNING");
    }
}
