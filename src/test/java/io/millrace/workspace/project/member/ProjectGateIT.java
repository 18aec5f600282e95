package io.millrace.workspace.project.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProjectGateIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn operator = server.signUp("olga@example.com", "Olga", PlatformRole.OPERATOR);
    private static TestServer.SignedIn member;
    private static ApiClient key;
    private static String foreign;

    private String team;

    @BeforeAll
    static void start() {
        member = server.signUp("mel@example.com", "Mel");
        key = admin.withApiKey();
        foreign = server.foreignProject();
    }

    @BeforeEach
    void makeTeamProject() {
        team = admin.api().post("/v1/projects", named("Mill")).text("/id");
    }

    @Test
    void followsTheOrderOfChecks() {
        // When
        var malformedByNobody = server.anonymous().post(path(team), named("a.b"));
        var wellFormedByNobody = server.anonymous().post(path(team), named("Good"));
        var badToken = server.anonymous().with("bad").post(path(team), named("Good"));
        var malformedWithBadToken = server.anonymous().with("bad").post(path(team), named("a.b"));
        var unknown = admin.api().post(path(Ids.next()), named("Good"));
        var unknownByNobody = server.anonymous().get(path(Ids.next()));
        var malformedId = admin.api().get(path("short"));

        // Then
        assertThat(malformedByNobody.status()).isEqualTo(400);
        assertThat(wellFormedByNobody.status()).isEqualTo(403);
        assertThat(wellFormedByNobody.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(badToken.status()).isEqualTo(401);
        assertThat(malformedWithBadToken.status()).isEqualTo(400);
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
        assertThat(unknownByNobody.status()).isEqualTo(403);
        assertThat(malformedId.status()).isEqualTo(400);
    }

    @Test
    void refusesProjectOfAnotherPlatform_toEverybody() {
        // When
        var byAdmin = admin.api().get(path(foreign));
        var byKey = key.get(path(foreign));
        var unknownByKey = key.get(path(Ids.next()));

        // Then
        assertThat(byAdmin.status()).isEqualTo(403);
        assertThat(byAdmin.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(byAdmin.text("/params/userId")).isEqualTo(admin.userId());
        assertThat(byAdmin.text("/params/projectId")).isEqualTo(foreign);
        assertThat(byKey.status()).isEqualTo(403);
        assertThat(byKey.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(unknownByKey.status()).isEqualTo(404);
    }

    @Test
    void admitsAdministratorAndKey_everywhereOnThePlatform() {
        // Then
        for (var api : new ApiClient[] {admin.api(), key}) {
            assertThat(api.get(path(team)).status()).isEqualTo(200);
            assertThat(api.get(path(member.projectId())).status()).isEqualTo(200);
            assertThat(api.post(path(team), named("Renamed")).status()).isEqualTo(200);
            assertThat(visible(api)).contains(team, admin.projectId(), operator.projectId(), member.projectId());
        }
    }

    @Test
    void admitsOperator_toEditTeamsAndTheOwnProject() {
        // When
        var ownChanged =
                operator.api().post(path(operator.projectId()), Json.object().put("releasesEnabled", true));
        var teamShown = operator.api().get(path(team));
        var teamChanged = operator.api().post(path(team), named("Renamed"));
        var othersShown = operator.api().get(path(member.projectId()));

        // Then
        assertThat(ownChanged.status()).isEqualTo(200);
        assertThat(teamShown.status()).isEqualTo(200);
        assertThat(teamChanged.status()).isEqualTo(200);
        assertThat(othersShown.status()).isEqualTo(403);
        assertThat(othersShown.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(visible(operator.api()))
                .contains(team, operator.projectId())
                .doesNotContain(member.projectId(), admin.projectId());
    }

    @Test
    void admitsMember_withTheRoleOfTheMembership() {
        // Given
        var before = member.api().get(path(team));
        var hidden = visible(member.api());
        server.join(member, team, "Viewer");

        // When
        var shown = member.api().get(path(team));
        var changedByViewer = member.api().post(path(team), named("Renamed"));
        server.execute("delete from project_member");
        server.join(member, team, "Admin");
        var changedByAdmin = member.api().post(path(team), named("Renamed").put("externalId", "not for members"));

        // Then
        assertThat(before.status()).isEqualTo(403);
        assertThat(before.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(hidden).containsExactly(member.projectId());
        assertThat(shown.status()).isEqualTo(200);
        assertThat(changedByViewer.status()).isEqualTo(403);
        assertThat(changedByViewer.text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(changedByViewer.text("/params/projectRole/name")).isEqualTo("Viewer");
        assertThat(changedByAdmin.status()).isEqualTo(200);
        assertThat(changedByAdmin.text("/displayName")).isEqualTo("Renamed");
        assertThat(changedByAdmin.body().path("externalId").isNull()).isTrue();
        assertThat(visible(member.api())).containsExactlyInAnyOrder(member.projectId(), team);
        assertThat(member.api().get(path(admin.projectId())).status()).isEqualTo(403);
    }

    @Test
    void storesTheDefaultRolesOfTheContract() {
        // Then
        assertThat(permissions("Admin")).isEqualTo(29);
        assertThat(permissions("Editor")).isEqualTo(24);
        assertThat(permissions("Viewer")).isEqualTo(12);
    }

    private static long permissions(String role) {
        return server.count("select cardinality(permissions)::bigint from project_role where name = $1", role);
    }

    private static List<String> visible(ApiClient api) {
        var ids = new ArrayList<String>();
        api.get("/v1/projects?limit=1000")
                .body()
                .path("data")
                .forEach(project -> ids.add(project.path("id").asText()));
        return ids;
    }

    private static String path(String id) {
        return "/v1/projects/" + id;
    }

    private static ObjectNode named(String displayName) {
        return Json.object().put("displayName", displayName);
    }
}
