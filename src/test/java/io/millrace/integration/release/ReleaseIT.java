package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Releases from one project to another over HTTP. */
final class ReleaseIT extends ReleaseBench {
    private ObjectNode fromSource() {
        return Json.object()
                .put("type", "PROJECT")
                .put("projectId", target.projectId())
                .put("targetProjectId", source.projectId());
    }

    @Test
    void makesAProjectWhatAnotherIs_andBackAgain() {
        // given
        var first = LiveFlow.publish(source, connected("shop", "one"));
        var second = LiveFlow.publish(source, answering("two"));
        var one = first.externalId();
        var two = second.externalId();
        makeConnection(source, "shop", HTTP, "The shop");

        // when
        var before = plan(fromSource());
        var released = release(fromSource().put("description", "The first"));

        // then
        assertThat(types(before, "flows")).containsExactly("CREATE_FLOW", "CREATE_FLOW");
        assertThat(before.body().path("flows").findValuesAsText("id"))
                .containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(before.body().path("connections").toString())
                .isEqualTo("[{\"type\":\"CREATE_CONNECTION\",\"connectionState\":{\"externalId\":\"shop\","
                        + "\"pieceName\":\"@activepieces/piece-http\",\"displayName\":\"The shop\"}}]");
        assertThat(before.body().path("errors")).isEmpty();
        assertThat(released.status()).as(released.toString()).isEqualTo(200);
        assertThat(released.text("/importedByUser/email")).isEqualTo("ada@example.com");
        var here = flows(target);
        assertThat(here.keySet()).containsExactlyInAnyOrder(one, two);
        assertThat(here.get(two).path("status").asText()).isEqualTo("ENABLED");
        assertThat(answer(here.get(two))).isEqualTo("two");
        assertThat(connections(target).path(0).path("status").asText()).isEqualTo("MISSING");
        assertThat(plan(fromSource()).body().toString())
                .isEqualTo("{\"flows\":[],\"connections\":[],\"tables\":[],\"errors\":[]}");
        assertThat(server.count("select count(*) from release_publication")).isZero();

        // given
        first.change(connected("shop", "changed"));
        admin.api().delete("/v1/flows/" + second.id());
        disable(here.get(one));

        // when
        var changes = plan(fromSource());
        var chosen = release(fromSource().set("selectedFlowsIds", Json.array().add(changes.text("/flows/1/flow/id"))));

        // then
        assertThat(types(changes, "flows")).containsExactly("DELETE_FLOW", "UPDATE_FLOW");
        assertThat(changes.text("/flows/1/flow/id"))
                .isEqualTo(here.get(one).path("id").asText());
        assertThat(changes.text("/flows/1/targetFlow/id")).isEqualTo(first.id());
        assertThat(chosen.status()).isEqualTo(200);
        var after = flows(target);
        assertThat(after).hasSize(2);
        assertThat(after.get(one).path("status").asText()).isEqualTo("DISABLED");
        assertThat(after.get(one).at("/version/state").asText()).isEqualTo("LOCKED");
        assertThat(after.get(one).toString()).contains("changed");

        // when
        release(fromSource());
        var rolledBack = release(Json.object()
                .put("type", "ROLLBACK")
                .put("projectId", target.projectId())
                .put("projectReleaseId", released.text("/id")));

        // then
        assertThat(rolledBack.status()).as(rolledBack.toString()).isEqualTo(200);
        var restored = flows(target);
        assertThat(answer(restored.get(two))).isEqualTo("two");
        assertThat(restored.get(one).path("status").asText()).isEqualTo("DISABLED");
        assertThat(restored.get(one).toString()).doesNotContain("changed");
        var listed = admin.api().get(RELEASES + "?projectId=" + target.projectId());
        assertThat(types(listed, "data")).containsExactly("ROLLBACK", "PROJECT", "PROJECT", "PROJECT");
        assertThat(admin.api().get(RELEASES + "/" + released.text("/id")).body())
                .isEqualTo(released.body());
        assertThat(server.count(
                        "select count(*) from audit_event where action = 'project.release.created' and project_id = $1",
                        target.projectId()))
                .isEqualTo(4);
    }

    /** The process may die between the release and the last of its triggers. */
    @Test
    void publishesWhatAnotherProcessLeft() {
        // given
        var flow = LiveFlow.draft(source, answering("one"));
        server.execute(
                "insert into release_publication (flow_id, created, status, user_id, platform_id)"
                        + " values ($1, now() - interval '1 hour', 'ENABLED', $2, $3)",
                flow.id(),
                admin.userId(),
                admin.platformId());

        // when
        try (var successor = server.successor()) {
            Waiting.until(
                    "the flow is published",
                    () -> server.count("select count(*) from release_publication where flow_id = $1", flow.id()) == 0);
            assertThat(admin.api().at(successor).get("/v1/flows/" + flow.id()).text("/status"))
                    .isEqualTo("ENABLED");
        }
    }

    private static void disable(JsonNode flow) {
        var operation = Json.object().put("type", "CHANGE_STATUS");
        operation.putObject("request").put("status", "DISABLED");
        var answer = admin.api().post("/v1/flows/" + flow.path("id").asText(), operation);
        assertThat(answer.status()).isEqualTo(200);
    }

    /** Each environment has its own connections. */
    @Test
    void leavesStepsTheConnectionsThatTheyHaveHere() {
        // given
        var flow = LiveFlow.publish(source, connected("shop", "one"));
        release(fromSource());
        var id = flows(target).get(flow.externalId()).path("id").asText();
        var changed = connected("shop-of-production", "one").importOperation("Mill");
        assertThat(admin.api().post("/v1/flows/" + id, changed).status()).isEqualTo(200);

        // when, then
        assertThat(types(plan(fromSource()), "flows")).isEmpty();

        // when
        flow.change(connected("shop", "two"));
        release(fromSource());

        // then
        var landed = flows(target).get(flow.externalId()).toString();
        assertThat(landed).contains("shop-of-production", "two").doesNotContain("connections['shop']");
    }

    @Test
    void landsAFlowThatCannotRunAsADraft_andSaysSoBefore() {
        // given
        var flow = LiveFlow.draft(source, FlowScript.webhook().returnJson("step_2", "{'says':'nothing'}"));
        var loop = "{'name':'step_1','displayName':'Each','type':'LOOP_ON_ITEMS','valid':true,'settings':{'items':''}}";
        source.api()
                .post(
                        "/v1/flows/" + flow.id(),
                        FlowScript.json(
                                "{'type':'ADD_ACTION','request':{'parentStep':'trigger','action':" + loop + "}}"));

        // when
        var plan = plan(fromSource());
        var released = release(fromSource());

        // then
        assertThat(plan.text("/errors/0/flowId")).isEqualTo(flow.id());
        assertThat(plan.text("/errors/0/message")).contains("step_1");
        assertThat(released.status()).isEqualTo(200);
        var landed = flows(target).get(flow.externalId());
        assertThat(landed.path("status").asText()).isEqualTo("DISABLED");
        assertThat(landed.path("publishedVersionId").isNull()).isTrue();
        assertThat(landed.toString()).contains("nothing");
    }

    @Test
    void landsWholeOrNotAtAll() {
        // given
        var first = LiveFlow.publish(source, answering("one"));
        var second = LiveFlow.publish(source, answering("two"));
        release(fromSource());
        first.change(answering("changed"));
        second.change(answering("changed"));
        LiveFlow.draft(source, answering("new"));
        var busy = flows(target).get(second.externalId()).path("id").asText();
        server.execute(
                "update flow set operation_status = 'ENABLING', operation_until = now() + interval '1 hour' where id = $1",
                busy);

        // when
        var refused = release(fromSource());

        // then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/code")).isEqualTo("FLOW_OPERATION_IN_PROGRESS");
        assertThat(flows(target))
                .hasSize(2)
                .allSatisfy((_, flow) -> assertThat(flow.toString()).doesNotContain("changed"));
        assertThat(types(admin.api().get(RELEASES + "?projectId=" + target.projectId()), "data"))
                .hasSize(1);

        // when
        server.execute("update flow set operation_status = 'NONE' where id = $1", busy);

        // then
        assertThat(release(fromSource()).status()).isEqualTo(200);
        assertThat(flows(target)).hasSize(3);
    }

    @Test
    void refusesAConnectionThatIsOfAnotherPieceHere() {
        // given
        LiveFlow.publish(source, answering("one"));
        makeConnection(source, "shop", HTTP, "The shop");
        makeConnection(target, "shop", "@activepieces/piece-webhook", "The shop");

        // when, then
        for (var answer : List.of(plan(fromSource()), release(fromSource()))) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.text("/params/message")).contains("shop", HTTP);
        }
        assertThat(flows(target)).isEmpty();
    }

    @Test
    void refusesSourcesThatAreNotThere() {
        // given
        var request = fromSource().put("targetProjectId", server.foreignProject());
        var unknown = Json.object()
                .put("type", "ROLLBACK")
                .put("projectId", target.projectId())
                .put("projectReleaseId", Ids.next());

        // when, then
        assertThat(release(request).status()).isEqualTo(403);
        assertThat(plan(request).status()).isEqualTo(403);
        assertThat(release(unknown).status()).isEqualTo(404);
        assertThat(release(fromGit()).status()).isEqualTo(404);
        assertThat(plan(fromSource().put("type", "OTHER")).text("/message")).contains("body/type Invalid option");
        assertThat(plan(fromSource().putNull("targetProjectId")).text("/message"))
                .contains("body/targetProjectId");
        assertThat(admin.api().post(RELEASES, fromSource()).text("/message")).contains("body/name");
        assertThat(admin.api().get(RELEASES + "/" + Ids.next()).status()).isEqualTo(404);
    }

    @Test
    void isOnlyForThoseWhoMayRelease() {
        // given
        var vera = server.signUp("vera@example.com", "Vera");
        var emma = server.signUp("emma@example.com", "Emma");
        server.join(vera, target.projectId(), "Viewer");
        server.join(vera, source.projectId(), "Viewer");
        server.join(emma, target.projectId(), "Editor");
        var pushPath = keepInGit(target, git.repository(Ids.next()), "PRODUCTION");
        var request = fromSource().put("name", "Week 12");

        // when, then for a role that may only read
        assertThat(vera.api().get(RELEASES + "?projectId=" + target.projectId()).status())
                .isEqualTo(200);
        assertThat(vera.api().post(RELEASES + "/diff", request).status()).isEqualTo(200);
        assertThat(vera.api().post(RELEASES, request).text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(vera.api().post(pushPath, push("PUSH_EVERYTHING", "none")).text("/code"))
                .isEqualTo("PERMISSION_DENIED");

        // when, then for a role that may not read the source
        assertThat(emma.api().post(RELEASES + "/diff", request).status()).isEqualTo(403);
        assertThat(emma.api().post(RELEASES, request).status()).isEqualTo(403);
        assertThat(emma.api()
                        .post(RELEASES, request.put("targetProjectId", target.projectId()))
                        .status())
                .isEqualTo(200);
        assertThat(emma.api().post(pushPath, push("PUSH_EVERYTHING", "none")).status())
                .isEqualTo(200);
    }
}
