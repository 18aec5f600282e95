package io.millrace.workspace.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InvitationIT {
    private static final String INVITATIONS = "/v1/user-invitations";
    private static final String SIGN_UP = "/v1/authentication/sign-up";

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_FRONTEND_URL", "https://mill.example"));

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static ApiClient service;
    private static String team;

    @BeforeAll
    static void start() {
        service = admin.withApiKey();
        team = admin.api()
                .post("/v1/projects", Json.object().put("displayName", "Team"))
                .text("/id");
    }

    @Test
    void refusesAMistypedType_andNoOtherField() {
        var answer = admin.api()
                .post(INVITATIONS, toPlatform("tess@example.com", "MEMBER").put("type", "PLATFROM"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.toString())
                .contains("type")
                .doesNotContain("projectId")
                .doesNotContain("platformRole");
        assertThat(listed("")).doesNotContain("tess@example.com");
    }

    @Test
    void letsAnInvitedPersonSignUp_withWhatWasPromised() {
        // given
        var toPlatform = admin.api().post(INVITATIONS, toPlatform("Olga@Example.com", "OPERATOR"));
        var toProject = admin.api().post(INVITATIONS, toProject("olga@example.com", team, "viewer"));
        assertThat(toPlatform.status()).isEqualTo(201);
        assertThat(toPlatform.text("/status")).isEqualTo("PENDING");
        assertThat(toPlatform.text("/email")).isEqualTo("olga@example.com");
        assertThat(toProject.text("/projectRole/name")).isEqualTo("Viewer");
        assertThat(toPlatform.text("/link")).startsWith("https://mill.example/invitation?token=");
        var early = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("olga@example.com", "Olga"));
        assertThat(early.text("/code")).isEqualTo("INVITATION_ONLY_SIGN_UP");

        // when
        var accepted = accept(toPlatform);
        accept(toProject);

        // then
        assertThat(accepted.status()).isEqualTo(200);
        assertThat(accepted.body().at("/registered").asBoolean()).isFalse();
        assertThat(stateOf(toPlatform)).isEqualTo("ACCEPTED");
        assertThat(listed("type=PLATFORM&status=ACCEPTED")).contains("olga@example.com");

        // when an accepted invitation is sent again, it stays accepted
        var again = admin.api().post(INVITATIONS, toPlatform("olga@example.com", "OPERATOR"));

        // then
        assertThat(again.text("/id")).isEqualTo(toPlatform.text("/id"));
        assertThat(again.text("/status")).isEqualTo("ACCEPTED");

        // when
        var olga = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("olga@example.com", "Olga"));

        // then
        assertThat(olga.status()).isEqualTo(200);
        assertThat(olga.text("/platformRole")).isEqualTo("OPERATOR");
        assertThat(listed("")).doesNotContain("olga@example.com");
        var members = service.get("/v1/project-members?projectId=" + team);
        assertThat(members.body().findValuesAsText("email")).contains("olga@example.com");
        assertThat(accept(toPlatform).status()).isEqualTo(404);
        assertThat(stateOf(toPlatform)).isEqualTo("ENDED");
    }

    @Test
    void acceptsAtOnce_whenAnApiKeyInvites() {
        // when
        var invited = service.post(INVITATIONS, toProject("kay@example.com", team, "Editor"));
        var kay = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("kay@example.com", "Kay"));

        // then
        assertThat(invited.text("/status")).isEqualTo("ACCEPTED");
        assertThat(invited.body().has("link")).isFalse();
        assertThat(kay.status()).isEqualTo(200);
        assertThat(kay.text("/platformRole")).isEqualTo("MEMBER");
        var api = server.anonymous().with(kay.text("/token"));
        assertThat(api.get("/v1/project-members/role?projectId=" + team).text("/name"))
                .isEqualTo("Editor");

        // when an existing member is invited to another role
        var again = admin.api().post(INVITATIONS, toProject("kay@example.com", team, "Admin"));

        // then
        assertThat(again.text("/status")).isEqualTo("ACCEPTED");
        assertThat(api.get("/v1/project-members/role?projectId=" + team).text("/name"))
                .isEqualTo("Admin");
    }

    @Test
    void replacesAnEarlierInvitationToTheSamePlace() {
        // when
        var first = admin.api().post(INVITATIONS, toProject("rex@example.com", team, "Viewer"));
        var second = admin.api().post(INVITATIONS, toProject("rex@example.com", team, "Editor"));

        // then
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.text("/projectRole/name")).isEqualTo("Editor");

        // when
        var deleted = admin.api().delete(INVITATIONS + "/" + first.text("/id"));

        // then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(accept(second).status()).isEqualTo(404);
        assertThat(stateOf(second)).isEqualTo("ENDED");
        assertThat(admin.api().delete(INVITATIONS + "/" + first.text("/id")).status())
                .isEqualTo(404);
    }

    @Test
    void showsAndLetsInvite_onlyWhoMay() {
        // given
        service.post(INVITATIONS, toProject("vic@example.com", team, "Viewer"));
        var vic = server.anonymous()
                .with(server.anonymous()
                        .post(SIGN_UP, ApiClient.signUpBody("vic@example.com", "Vic"))
                        .text("/token"));
        admin.api().post(INVITATIONS, toProject("wim@example.com", team, "Viewer"));
        var id = admin.api()
                .post(INVITATIONS, toPlatform("xia@example.com", "MEMBER"))
                .text("/id");

        // then
        assertThat(vic.get(INVITATIONS).body().findValuesAsText("email"))
                .contains("wim@example.com")
                .doesNotContain("xia@example.com");
        assertThat(vic.get(INVITATIONS + "?type=PROJECT&projectId=" + team).status())
                .isEqualTo(200);
        assertThat(vic.get(INVITATIONS + "?projectId=" + admin.projectId()).status())
                .isEqualTo(403);
        assertThat(vic.post(INVITATIONS, toPlatform("y@example.com", "ADMIN")).text("/code"))
                .isEqualTo("AUTHORIZATION");
        assertThat(vic.post(INVITATIONS, toProject("y@example.com", team, "Admin"))
                        .text("/code"))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(vic.delete(INVITATIONS + "/" + id).status()).isEqualTo(403);
        assertThat(vic.get("/v1/users").status()).isEqualTo(200);
        assertThat(server.anonymous().get(INVITATIONS).status()).isEqualTo(403);
    }

    @Test
    void givesNoPermission_thatTheInvitingUserLacks() {
        // given members with custom roles, who are users of the platform already
        var inviter = member("ina@example.com", "Inviter", "READ_FLOW", "WRITE_INVITATION");
        var keeper = member("kim@example.com", "Keeper", "READ_FLOW", "WRITE_PROJECT_MEMBER", "READ_PROJECT_MEMBER");
        var place = server.text("select m.id from project_member m join platform_user u on u.id = m.user_id"
                + " join user_identity i on i.id = u.identity_id where i.email = 'kim@example.com'");
        admin.api().post("/v1/project-roles", role("Reader", "READ_FLOW"));

        // when
        var raised = inviter.post(INVITATIONS, toProject("ina@example.com", team, "Admin"));
        var friend = inviter.post(INVITATIONS, toProject("friend@example.com", team, "Editor"));
        var demoted = inviter.post(INVITATIONS, toProject("kim@example.com", team, "Reader"));
        var promoted = keeper.post("/v1/project-members/" + place, Json.object().put("role", "Admin"));

        // then
        for (var refused : new Answer[] {raised, friend, demoted, promoted}) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
            assertThat(refused.text("/code")).isEqualTo("PERMISSION_DENIED");
        }
        assertThat(demoted.text("/params/permission")).isEqualTo("WRITE_PROJECT_MEMBER");
        assertThat(roleOf(inviter)).isEqualTo("Inviter");
        assertThat(roleOf(keeper)).isEqualTo("Keeper");
        assertThat(listed("limit=100")).doesNotContain("friend@example.com");

        // when the role has no more than the inviting user
        var invited = inviter.post(INVITATIONS, toProject("friend@example.com", team, "Reader"));
        var assigned = keeper.post("/v1/project-members/" + place, Json.object().put("role", "Reader"));

        // then
        assertThat(invited.status()).as(invited.toString()).isEqualTo(201);
        assertThat(assigned.status()).as(assigned.toString()).isEqualTo(200);
    }

    private static ApiClient member(String email, String role, String... permissions) {
        assertThat(admin.api()
                        .post("/v1/project-roles", role(role, permissions))
                        .status())
                .isEqualTo(201);
        service.post(INVITATIONS, toProject(email, team, role));
        return server.anonymous()
                .with(server.anonymous()
                        .post(SIGN_UP, ApiClient.signUpBody(email, role))
                        .text("/token"));
    }

    private static ObjectNode role(String name, String... permissions) {
        var role = Json.object().put("name", name).put("type", "CUSTOM");
        var array = role.putArray("permissions");
        List.of(permissions).forEach(array::add);
        return role;
    }

    private static String roleOf(ApiClient member) {
        return member.get("/v1/project-members/role?projectId=" + team).text("/name");
    }

    @Test
    void refusesMalformedInvitations_andForeignPlaces() {
        var foreign = server.foreignProject();

        var noEmail = service.post(INVITATIONS, toPlatform("nobody", "ADMIN"));
        assertThat(noEmail.status()).isEqualTo(400);
        assertThat(noEmail.text("/message")).isEqualTo("body/email Invalid email address");
        assertThat(service.post(INVITATIONS, toPlatform("a@example.com", "KING"))
                        .text("/message"))
                .startsWith("body/platformRole Invalid option");
        assertThat(service.post(INVITATIONS, json("{\"type\": \"PROJECT\", \"email\": \"a@example.com\"}"))
                        .text("/message"))
                .contains("body/projectId", "body/projectRole");
        assertThat(service.post(INVITATIONS, toProject("a@example.com", team, "Nobody"))
                        .status())
                .isEqualTo(404);
        assertThat(service.post(INVITATIONS, toProject("a@example.com", foreign, "Viewer"))
                        .status())
                .isEqualTo(403);
        assertThat(admin.api()
                        .post(INVITATIONS, toProject("a@example.com", admin.projectId(), "Viewer"))
                        .status())
                .isEqualTo(403);
        assertThat(listed("limit=100")).doesNotContain("a@example.com");
        assertThat(service.get(INVITATIONS + "?type=OTHER").status()).isEqualTo(400);
    }

    @Test
    void refusesTokens_thatAreNotOfAnInvitationOrTooOld() {
        // given
        var invited = admin.api().post(INVITATIONS, toPlatform("late@example.com", "MEMBER"));
        var sessionToken = server.anonymous().post("/v1/authentication/sign-in", json("""
                        {"email": "ada@example.com", "password": "correct horse"}
                        """));

        // then
        assertThat(stateOf(invited)).isEqualTo("PENDING");
        assertThat(checkToken("nonsense").status()).isEqualTo(401);
        assertThat(checkToken(sessionToken.text("/token")).status()).isEqualTo(401);
        assertThat(acceptToken("nonsense").status()).isEqualTo(401);
        assertThat(acceptToken(sessionToken.text("/token")).status()).isEqualTo(401);
        assertThat(server.anonymous().with(tokenOf(invited)).get("/v1/users").status())
                .isEqualTo(401);

        // when
        server.clock().advance(Duration.ofDays(7).plusSeconds(1));

        // then
        assertThat(accept(invited).status()).isEqualTo(401);
        assertThat(stateOf(invited)).isEqualTo("EXPIRED");
        server.clock().advance(Duration.ofDays(-7).minusSeconds(1));
    }

    @Test
    void changesAndRemovesUsers_butNotTheOwner() {
        // given
        service.post(INVITATIONS, toPlatform("una@example.com", "MEMBER"));
        var una = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("una@example.com", "Una"));
        var api = server.anonymous().with(una.text("/token"));
        var path = "/v1/users/" + una.text("/id");

        // when
        var changed = service.post(path, json("{\"externalId\": \"crm-7\", \"platformRole\": \"ADMIN\"}"));

        // then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/platformRole")).isEqualTo("ADMIN");
        var found = service.get("/v1/users?externalId=crm-7").body().at("/data");
        assertThat(found).hasSize(1);
        assertThat(found.at("/0/email").asText()).isEqualTo("una@example.com");
        assertThat(api.get(path).body().at("/badges")).isEmpty();
        assertThat(service.post("/v1/users/" + admin.userId(), json("{\"externalId\": \"crm-7\"}"))
                        .status())
                .isEqualTo(409);

        // when
        service.post(path, json("{\"status\": \"INACTIVE\"}"));

        // then
        assertThat(api.get(path).text("/code")).isEqualTo("SESSION_EXPIRED");

        // when
        var deleted = service.delete(path);

        // then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(service.get(path).status()).isEqualTo(404);
        assertThat(service.get("/v1/projects/" + una.text("/projectId")).status())
                .isEqualTo(404);
        var owner = "/v1/users/" + admin.userId();
        assertThat(service.delete(owner).status()).isEqualTo(409);
        assertThat(service.post(owner, json("{\"status\": \"INACTIVE\"}")).status())
                .isEqualTo(409);
        assertThat(service.post(owner, json("{\"platformRole\": \"MEMBER\"}")).status())
                .isEqualTo(409);
        assertThat(service.post(owner, json("{\"status\": \"GONE\"}")).status()).isEqualTo(400);
        assertThat(service.get("/v1/users/" + Ids.next()).status()).isEqualTo(404);
    }

    private static Answer accept(Answer invited) {
        return acceptToken(tokenOf(invited));
    }

    private static String stateOf(Answer invited) {
        return checkToken(tokenOf(invited)).text("/state");
    }

    private static Answer checkToken(String token) {
        return server.anonymous().post(INVITATIONS + "/check", Json.object().put("invitationToken", token));
    }

    private static Answer acceptToken(String token) {
        return server.anonymous().post(INVITATIONS + "/accept", Json.object().put("invitationToken", token));
    }

    private static String tokenOf(Answer invited) {
        var query = URI.create(invited.text("/link")).getQuery();
        return query.substring("token=".length(), query.indexOf("&email="));
    }

    private static List<String> listed(String query) {
        return service.get(INVITATIONS + "?" + query).body().findValuesAsText("email");
    }

    private static ObjectNode toPlatform(String email, String role) {
        return Json.object().put("type", "PLATFORM").put("email", email).put("platformRole", role);
    }

    private static ObjectNode toProject(String email, String projectId, String role) {
        return Json.object()
                .put("type", "PROJECT")
                .put("email", email)
                .put("projectId", projectId)
                .put("projectRole", role);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text);
    }
}
