package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permissions of flow operations by role (contract flows-and-engine 3, admin-api 1.9). */
class FlowAccessIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private String projectId;

    @BeforeEach
    void makeProject() {
        projectId = expect(201, ada.api().post("/v1/projects", Json.object().put("displayName", "Mill")))
                .text("/id");
    }

    private FlowClient flow(String name) {
        return FlowClient.create(ada.api(), projectId, name);
    }

    @Test
    void letsAViewerReadButNotEdit() {
        // given
        var vera = server.signUp(Ids.next() + "@example.com", "Vera");
        server.give(vera, PlatformRole.MEMBER);
        server.join(vera, projectId, "Viewer");
        var flow = flow("Shared");
        var before = flow.get().body();
        var hers = flow.by(vera.api());

        // then
        assertThat(hers.get().status()).isEqualTo(200);
        assertThat(vera.api().get("/v1/flows?projectId=" + projectId).status()).isEqualTo(200);
        denied(FlowClient.tryToCreate(vera.api(), projectId, "Mine"), "WRITE_FLOW");
        denied(hers.apply("CHANGE_NAME", "{'displayName':'x'}"), "UPDATE_FLOW_STATUS");
        denied(hers.publish(), "UPDATE_FLOW_STATUS");
        denied(vera.api().delete(flow.path()), "WRITE_FLOW");
        assertThat(flow.get().body()).isEqualTo(before);
    }

    @Test
    void asksForTheRightPermission() {
        // given
        var paul = server.signUp(Ids.next() + "@example.com", "Paul");
        server.give(paul, PlatformRole.MEMBER);
        server.execute("""
                insert into project_role (id, created, updated, name, permissions, platform_id, type)
                values ($1, now(), now(), 'Publisher', '{READ_FLOW,UPDATE_FLOW_STATUS}', $2, 'CUSTOM')
                """, Ids.next(), ada.platformId());
        server.join(paul, projectId, "Publisher");
        var flow = FlowClient.answering(ada.api(), projectId, "one");

        // then
        denied(flow.by(paul.api()).apply("CHANGE_NAME", "{'displayName':'x'}"), "WRITE_FLOW");
        assertThat(flow.by(paul.api()).publish().status()).isEqualTo(200);
        assertThat(flow.by(paul.api())
                        .apply("CHANGE_STATUS", "{'status':'DISABLED'}")
                        .status())
                .isEqualTo(200);
    }

    private static void denied(ApiClient.Answer answer, String permission) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(answer.text("/params/permission")).isEqualTo(permission);
    }

    @Test
    void keepsOtherPlatformsOut() {
        // given
        var foreign = flow("Foreign");
        server.execute("update flow set project_id = $2 where id = $1", foreign.flowId(), server.foreignProject());

        // then
        for (var api : List.of(ada.api(), apiKey())) {
            var theirs = foreign.by(api);
            assertThat(theirs.get().status()).isEqualTo(403);
            assertThat(theirs.apply("CHANGE_NAME", "{'displayName':'x'}").text("/code"))
                    .isEqualTo("AUTHORIZATION");
            assertThat(api.delete(foreign.path()).status()).isEqualTo(403);
        }
        assertThat(foreign.by(server.anonymous()).get().status()).isEqualTo(403);
        assertThat(server.count(
                        "select count(*) from flow_version where flow_id = $1 and display_name = 'Foreign'",
                        foreign.flowId()))
                .isOne();
    }

    @Test
    void letsAnApiKeyAct_withoutBeingAnybody() {
        // given
        var key = apiKey();
        var edited = flow("Ada's");
        edited.change("CHANGE_NAME", "{'displayName':'Hers'}");

        // when
        var made = expect(201, FlowClient.tryToCreate(key, projectId, "Robot's"));
        var changed = edited.by(key).change("CHANGE_NAME", "{'displayName':'Changed'}");

        // then
        assertThat(made.body().path("ownerId").isNull()).isTrue();
        assertThat(changed.at("/version/displayName").asText()).isEqualTo("Changed");
        assertThat(changed.at("/version/updatedBy").asText()).isEqualTo(ada.userId());
        assertThat(key.get(edited.path() + "/versions").status()).isEqualTo(403);
    }

    private static ApiClient apiKey() {
        var made = expect(201, ada.api().post("/v1/api-keys", Json.object().put("displayName", "key")));
        return server.anonymous().with(made.text("/value"));
    }

    @Test
    void givesAFlowOnlyToWhomMayEnterItsProject() {
        // given
        var flow = flow("Mine");
        var emma = server.signUp(Ids.next() + "@example.com", "Emma");
        server.give(emma, PlatformRole.MEMBER);
        var before = flow.get().body();

        // when
        var stranger = flow.apply("UPDATE_OWNER", "{'ownerId':'" + emma.userId() + "'}");
        var nobody = flow.apply("UPDATE_OWNER", "{'ownerId':'" + Ids.next() + "'}");
        var unchanged = flow.get().body();
        server.join(emma, projectId, "Viewer");
        var member = flow.apply("UPDATE_OWNER", "{'ownerId':'" + emma.userId() + "'}");

        // then
        assertThat(stranger.status()).isEqualTo(404);
        assertThat(stranger.text("/params/entityType")).isEqualTo("user");
        assertThat(nobody.status()).isEqualTo(404);
        assertThat(unchanged).isEqualTo(before);
        assertThat(member.text("/ownerId")).isEqualTo(emma.userId());
    }
}
