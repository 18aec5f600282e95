package io.millrace.workspace.project.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProjectRoleIT {
    private static final String ROLES = "/v1/project-roles";
    private static final String MEMBERS = "/v1/project-members";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mel = server.signUp("mel@example.com", "Mel", PlatformRole.MEMBER);
    private static TestServer.SignedIn viv = server.signUp("viv@example.com", "Viv", PlatformRole.MEMBER);
    private static ApiClient service;
    private static String team;

    @BeforeAll
    static void start() {
        service = admin.withApiKey();
        team = admin.api()
                .post("/v1/projects", Json.object().put("displayName", "Team"))
                .text("/id");
        server.join(mel, team, "Editor");
        server.join(viv, team, "Viewer");
    }

    @Test
    void listsDefaultRoles_withTheNumberOfTheirHolders() {
        var roles = viv.api().get(ROLES);

        assertThat(roles.status()).isEqualTo(200);
        assertThat(roles.body().at("/data").findValuesAsText("name")).startsWith("Admin", "Editor", "Viewer");
        assertThat(roles.body().at("/data/1/userCount").asInt()).isEqualTo(1);
        assertThat(roles.body().at("/data/0/platformId").isNull()).isTrue();
        assertThat(service.get(ROLES + "/" + roles.text("/data/2/id")).text("/name"))
                .isEqualTo("Viewer");
    }

    @Test
    void makesChangesAndDeletesARoleOfThePlatform() {
        // When
        var role = service.post(ROLES, json("""
                {"name": "Deployer", "type": "CUSTOM", "permissions": ["UPDATE_FLOW_STATUS", "READ_FLOW", "READ_FLOW"]}
                """));

        // Then
        assertThat(role.status()).isEqualTo(201);
        assertThat(role.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(role.body().at("/permissions")).isEqualTo(json("[\"READ_FLOW\", \"UPDATE_FLOW_STATUS\"]"));
        var path = ROLES + "/" + role.text("/id");

        // When
        var changed = admin.api().post(path, json("{\"name\": \"Ops\", \"permissions\": [\"READ_RUN\"]}"));

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/name")).isEqualTo("Ops");
        assertThat(changed.body().at("/permissions")).isEqualTo(json("[\"READ_RUN\"]"));

        // When
        var deleted = admin.api().delete(ROLES + "/Ops");

        // Then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(admin.api().get(path).status()).isEqualTo(404);
        assertThat(admin.api().delete(ROLES + "/Ops").status()).isEqualTo(404);
    }

    @Test
    void refusesRoles_thatAreTakenUnknownOrMalformed() {
        assertThat(service.post(ROLES, json("{\"name\": \"admin\", \"type\": \"CUSTOM\", \"permissions\": []}"))
                        .status())
                .isEqualTo(409);
        assertThat(service.post(ROLES, json("{\"name\": \"New\", \"type\": \"DEFAULT\", \"permissions\": []}"))
                        .status())
                .isEqualTo(409);
        var unknown =
                service.post(ROLES, json("{\"name\": \"New\", \"type\": \"CUSTOM\", \"permissions\": [\"FLY\"]}"));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text("/message")).startsWith("body/permissions/0 Invalid option");
        assertThat(service.post(ROLES, json("{\"name\": \"a.b\", \"type\": \"CUSTOM\", \"permissions\": []}"))
                        .status())
                .isEqualTo(400);
        var defaultRole = viv.api().get(ROLES).text("/data/0/id");
        assertThat(service.post(ROLES + "/" + defaultRole, json("{\"name\": \"Boss\"}"))
                        .status())
                .isEqualTo(404);
        assertThat(service.delete(ROLES + "/Admin").status()).isEqualTo(404);
        assertThat(mel.api()
                        .post(ROLES, json("{\"name\": \"Mine\", \"type\": \"CUSTOM\", \"permissions\": []}"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void listsHolders_ofProjectsWhoseMembersTheCallerMayRead() {
        // Given
        var stranger = server.signUp("sid@example.com", "Sid", PlatformRole.MEMBER);
        var operator = server.signUp("olga@example.com", "Olga", PlatformRole.OPERATOR);
        var holders = ROLES + "/defaultRoleViewer0000/project-members";

        // Then
        assertThat(mel.api().get(holders).body().at("/data").findValuesAsText("email"))
                .contains("viv@example.com");
        assertThat(operator.api().get(holders).body().at("/data").findValuesAsText("email"))
                .contains("viv@example.com");
        assertThat(stranger.api().get(holders).body().at("/data")).isEmpty();

        // When
        server.join(stranger, otherTeam(), "Admin");

        // Then
        assertThat(stranger.api().get(holders).body().at("/data")).isEmpty();
    }

    private static String otherTeam() {
        return admin.api()
                .post("/v1/projects", Json.object().put("displayName", "Other"))
                .text("/id");
    }

    @Test
    void listsMembers_withTheirPersonRoleAndProject() {
        // When
        var all = admin.api().get(MEMBERS + "?projectId=" + team);
        var viewers = service.get(MEMBERS + "?projectId=" + team + "&projectRoleId=defaultRoleViewer0000");
        var holders = service.get(ROLES + "/defaultRoleViewer0000/project-members");

        // Then
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.body().at("/data").findValuesAsText("email"))
                .contains("mel@example.com", "viv@example.com")
                .doesNotContain("ada@example.com");
        assertThat(viewers.body().at("/data")).hasSize(1);
        assertThat(viewers.text("/data/0/user/firstName")).isEqualTo("Viv");
        assertThat(viewers.text("/data/0/projectRole/name")).isEqualTo("Viewer");
        assertThat(viewers.text("/data/0/project/displayName")).isEqualTo("Team");
        assertThat(holders.body().at("/data").findValuesAsText("email")).contains("viv@example.com");
    }

    @Test
    void showsAUserTheirRole() {
        assertThat(mel.api().get(MEMBERS + "/role?projectId=" + team).text("/name"))
                .isEqualTo("Editor");
        assertThat(admin.api().get(MEMBERS + "/role?projectId=" + team).text("/name"))
                .isEqualTo("Admin");
        assertThat(service.get(MEMBERS + "/role?projectId=" + team).status()).isEqualTo(403);
        assertThat(mel.api()
                        .get(MEMBERS + "/role?projectId=" + admin.projectId())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void changesARoleAndTakesEffectAtOnce_thenRemovesTheMember() {
        // Given
        var pia = server.signUp("pia@example.com", "Pia", PlatformRole.MEMBER);
        server.join(pia, team, "Viewer");
        var id = memberId("pia@example.com");
        var flow = Json.object().put("displayName", "Flow").put("projectId", team);
        assertThat(pia.api().post("/v1/flows", flow).status()).isEqualTo(403);
        service.post(ROLES, json("{\"name\": \"Writer\", \"type\": \"CUSTOM\", \"permissions\": [\"WRITE_FLOW\"]}"));

        // When
        var changed = admin.api().post(MEMBERS + "/" + id, Json.object().put("role", "Writer"));

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/projectRole/name")).isEqualTo("Writer");
        assertThat(pia.api().post("/v1/flows", flow).status()).isEqualTo(201);
        assertThat(service.delete(ROLES + "/Writer").status()).isEqualTo(409);

        // When
        var removed = service.delete(MEMBERS + "/" + id);

        // Then
        assertThat(removed.status()).isEqualTo(204);
        assertThat(pia.api().get("/v1/flows?projectId=" + team).status()).isEqualTo(403);
        assertThat(service.delete(MEMBERS + "/" + id).status()).isEqualTo(404);
        assertThat(service.delete(ROLES + "/Writer").status()).isEqualTo(204);
    }

    @Test
    void refusesMemberChanges_whenTheCallerMayNotOrTheRoleIsUnknown() {
        var id = memberId("viv@example.com");

        assertThat(mel.api()
                        .post(MEMBERS + "/" + id, Json.object().put("role", "Admin"))
                        .text("/code"))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(viv.api().delete(MEMBERS + "/" + id).status()).isEqualTo(403);
        assertThat(service.post(MEMBERS + "/" + id, Json.object().put("role", "Nobody"))
                        .status())
                .isEqualTo(404);
        assertThat(service.post(MEMBERS + "/" + id, Json.object()).status()).isEqualTo(400);
        assertThat(service.post(MEMBERS + "/" + Ids.next(), Json.object().put("role", "Admin"))
                        .status())
                .isEqualTo(404);
        assertThat(viv.api().get(MEMBERS + "/role?projectId=" + team).text("/name"))
                .isEqualTo("Viewer");
    }

    private static String memberId(String email) {
        for (var member :
                service.get(MEMBERS + "?limit=100&projectId=" + team).body().at("/data")) {
            if (member.at("/user/email").asText().equals(email)) {
                return member.path("id").asText();
            }
        }
        throw new AssertionError("expected a member with the address " + email);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text);
    }
}
