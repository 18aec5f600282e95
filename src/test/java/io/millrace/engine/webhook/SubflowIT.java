package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.callable;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flows that call flows (contract flows-and-engine 14). */
class SubflowIT extends OpenServer {
    @Test
    void waitsForEachResponse_inALoop() {
        // given
        var child = LiveFlow.publish(
                admin, callable().returnToCaller("step_1", "{'doubled':'{{trigger.output.data.n * 2}}'}"));
        var parent = LiveFlow.publish(
                admin,
                webhook()
                        .loop(
                                "step_1",
                                "{{trigger.output.body.ns}}",
                                steps().callFlow("step_2", child.externalId(), "{'n':'{{step_1.output.item}}'}", true))
                        .returnJson("step_3", "{'last':'{{step_1.output.iterations[2].step_2.output}}'}"));

        // when
        var answer = parent.callAndWait(json("{'ns':[1,2,3]}"));

        // then
        assertThat(answer.status()).isEqualTo(200);
        var run = parent.ended(1);
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        for (var i = 0; i < 3; i++) {
            assertThat(run.at("/steps/step_1/output/iterations/" + i + "/step_2/output"))
                    .isEqualTo(json("{'status':'success','data':{'doubled':" + 2 * (i + 1) + "}}"));
        }
        Waiting.until(
                "the children have ended",
                () -> child.runs().stream()
                        .allMatch(each -> each.path("status").asText().equals("SUCCEEDED")));
        assertThat(child.runs()).hasSize(3).allSatisfy(each -> {
            assertThat(each.path("parentRunId").asText())
                    .isEqualTo(run.path("id").asText());
            assertThat(each.path("failParentOnFailure").asBoolean()).isTrue();
        });
    }

    @Test
    void continuesImmediately_whenItDoesNotWait() {
        // given a flow of an older version that names the called flow in an object
        var child = LiveFlow.publish(
                admin, callable().code("step_1", "export const code = async () => { throw new Error('broken') }"));
        var input = Json.object().put("mode", "advanced");
        input.putObject("flow").put("externalId", child.externalId());
        input.putObject("flowProps").set("payload", json("[1]"));
        var parent = LiveFlow.publish(
                admin, webhook().piece("step_1", "@activepieces/piece-subflows", "0.4.11", "callFlow", input));

        // when
        var run = parent.run(json("{}"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json("{}"));
        var called = child.ended(1);
        assertThat(called.at("/steps/trigger/output")).isEqualTo(json("{'data':[1]}"));
        assertThat(called.path("failParentOnFailure").asBoolean()).isFalse();
        assertThat(called.path("status").asText()).isEqualTo("FAILED");
    }

    @Test
    void failsWithItsChild() {
        // given
        var child = LiveFlow.publish(
                admin, callable().code("step_1", "export const code = async () => { throw new Error('broken') }"));
        var parent = LiveFlow.publish(admin, webhook().callFlow("step_1", child.externalId(), "{}", true));

        // when
        var run = parent.run(json("{}"));

        // then
        var childRun = child.ended(1);
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_1");
        assertThat(run.at("/steps/step_1/errorMessage").asText())
                .contains("broken", "FAILED", childRun.path("id").asText());
    }

    @Test
    void failsWithItsChild_whenTheNoticeWasLost() {
        // given a waiting parent, and a child that ended right before a crash
        var child = LiveFlow.publish(admin, callable().map("step_1", "{}"));
        var parent = LiveFlow.publish(admin, webhook().callFlow("step_1", child.externalId(), "{}", true));
        parent.call(json("{}"));
        var childRun = child.ended(1);
        assertThat(waiting(parent).path("status").asText()).isEqualTo("PAUSED");

        // when
        server.execute("alter table ended_run disable trigger ended_is_final");
        server.execute(
                "update ended_run set status = 'TIMEOUT' where id = $1",
                childRun.path("id").asText());

        // then
        assertThat(parent.ended(1).at("/steps/step_1/errorMessage").asText()).contains("TIMEOUT");
    }

    @Test
    void failsAtOnce_whenThereIsNoSuchFlow_orItIsNotEnabled() {
        // given
        var draft = LiveFlow.draft(admin, callable());
        var other = server.signUp("bob@example.com", "Bob");
        var foreign = LiveFlow.publish(other, callable());

        // when
        for (var externalId : new String[] {"nowhere", draft.externalId(), foreign.externalId(), ""}) {
            var parent = LiveFlow.publish(admin, webhook().callFlow("step_1", externalId, "{}", true));
            var run = parent.run(json("{}"));

            // then
            assertThat(run.path("status").asText()).as(externalId).isEqualTo("FAILED");
            assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("flow");
        }
        assertThat(foreign.runs()).isEmpty();
    }

    @Test
    void offersTheFlowsThatCanBeCalled() {
        // given
        var ada = admin.inTeam("Callers");
        var child = LiveFlow.publish(ada, callable());
        LiveFlow.draft(ada, callable());
        var caller = LiveFlow.publish(ada, webhook());
        var question = Json.object()
                .put("projectId", ada.projectId())
                .put("pieceName", "@activepieces/piece-subflows")
                .put("pieceVersion", "0.6.3")
                .put("actionOrTriggerName", "callFlow")
                .put("propertyName", "flowId")
                .put("flowId", caller.id())
                .put("flowVersionId", caller.id());
        question.putObject("input");

        // when
        var offered = ada.api().post("/v1/pieces/options", question);
        var searched = ada.api().post("/v1/pieces/options", question.put("searchValue", "no such name"));

        // then
        assertThat(offered.body())
                .isEqualTo(json("{'options':{'disabled':false,'options':[{'label':'Mill','value':'" + child.externalId()
                        + "'}]},'type':'DROPDOWN'}"));
        assertThat(searched.body().at("/options/options")).isEmpty();
    }

    @Test
    void failsNoParentOfAnotherProject() {
        // given a paused run, and another tenant that names it as the parent of its run
        var child = LiveFlow.publish(admin, callable().map("step_1", "{}"));
        var parent = LiveFlow.publish(admin, webhook().callFlow("step_1", child.externalId(), "{}", true));
        parent.call(json("{}"));
        var parentId = waiting(parent).path("id").asText();
        var stranger = server.signUp("eve@example.com", "Eve");
        var failing = LiveFlow.publish(
                stranger, webhook().code("step_1", "export const code = async () => { throw new Error('x') }"));

        // when
        server.anonymous().send("POST", "/v1/webhooks/" + failing.id(), Map.of("ap-parent-run-id", parentId), "");
        failing.ended(1);

        // then
        var next = LiveFlow.publish(admin, webhook().map("step_1", "{}"));
        next.run(json("{}"));
        assertThat(waiting(parent).path("status").asText()).isEqualTo("PAUSED");
    }

    @Test
    void endsNoWaitOfAnotherKind_whenAnyoneNamesTheRunAsParent() {
        // given runs that wait for a decision, a call and a link
        var decision = LiveFlow.publish(
                admin,
                webhook()
                        .requestApproval(
                                "step_1",
                                "{'message':'Pay','approvers':['ada@example.com'],'deadlineHours':1,'onDeadline':'approve'}"));
        var call = LiveFlow.publish(admin, webhook().answerAndWait("step_1", "{}"));
        var link = LiveFlow.publish(admin, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        var subflow = LiveFlow.publish(
                admin,
                webhook()
                        .callFlow(
                                "step_1",
                                LiveFlow.publish(admin, callable().map("step_1", "{}"))
                                        .externalId(),
                                "{}",
                                true));
        var failing = failing();
        var waits = List.of(decision, call, link, subflow);
        waits.forEach(flow -> flow.call(json("{}")));

        // when
        for (var flow : waits) {
            var parentId = waiting(flow).path("id").asText();
            callAsChildOf(parentId, failing, "{}");
            callAsChildOf(
                    parentId,
                    failing,
                    "{'callbackUrl':'https://mill.example/api/v1/flow-runs/" + parentId + "/waitpoints/" + Ids.next()
                            + "'}");
            callAsChildOf(
                    parentId,
                    failing,
                    "{'callbackUrl':'https://mill.example/api/v1/flow-runs/" + parentId + "/requests/" + Ids.next()
                            + Ids.next() + "x'}");
            callAsChildOf(
                    parentId,
                    failing,
                    "{'callbackUrl':'https://mill.example/api/v1/flow-runs/" + parentId + "/requests/" + Ids.next()
                            + "'}");
        }
        var waitpoint = server.text("select w.id from waitpoint w join approval_task t on t.waitpoint_id = w.id");
        callAsChildOf(
                decision.newestId(),
                failing,
                "{'callbackUrl':'https://mill.example/api/v1/flow-runs/" + decision.newestId() + "/waitpoints/"
                        + waitpoint + "'}");
        failing.ended(17);

        // then
        LiveFlow.publish(admin, webhook().map("step_1", "{}")).run(json("{}"));
        assertThat(waits)
                .allSatisfy(flow ->
                        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED"));
    }

    /** Pieces of Activepieces call over HTTP; older ones wait at an address of the run. */
    @Test
    void failsWithACallOverHttp_thatNamesItsWaitpoint() {
        // given
        var byWaitpoint = LiveFlow.publish(
                admin,
                webhook().answerAndWait("step_1", "{}").map("step_2", "{'seen':'{{step_1.output.body.status}}'}"));
        var byRun = LiveFlow.publish(admin, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        byWaitpoint.call(json("{}"));
        byRun.call(json("{}"));
        var callback =
                pausedSteps(byWaitpoint).at("/step_1/output/nextWebhookUrl").asText();
        var link = pausedSteps(byRun).at("/step_1/output/approvalLink").asText();
        var failing = failing();

        // when
        callAsChildOf(byWaitpoint.newestId(), failing, "{'callbackUrl':'" + callback + "'}");
        callAsChildOf(byRun.newestId(), failing, "{'callbackUrl':'" + link + "'}");

        // then
        assertThat(byWaitpoint.ended(1).at("/steps/step_2/output/seen").asText())
                .isEqualTo("error");
        assertThat(byRun.ended(1).at("/steps/step_2/output/approved").asBoolean())
                .isFalse();
    }

    private static JsonNode pausedSteps(LiveFlow flow) {
        waiting(flow);
        return flow.newest().path("steps");
    }

    private LiveFlow failing() {
        return LiveFlow.publish(
                admin, webhook().code("step_1", "export const code = async () => { throw new Error('x') }"));
    }

    private void callAsChildOf(String parentId, LiveFlow flow, String body) {
        server.anonymous()
                .send(
                        "POST",
                        "/v1/webhooks/" + flow.id(),
                        Map.of(
                                "ap-parent-run-id",
                                parentId,
                                "ap-fail-parent-on-failure",
                                "true",
                                "Content-Type",
                                "application/json"),
                        Json.text(json(body)));
    }

    /** The only run of a flow, after it has paused. */
    private static JsonNode waiting(LiveFlow flow) {
        Waiting.until(
                "the run is paused",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        return flow.runs().getFirst();
    }
}
