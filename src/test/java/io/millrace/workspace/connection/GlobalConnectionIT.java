package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections of a platform, their projects, and the lists over the whole platform. */
class GlobalConnectionIT extends OpenServer {
    private static final String ALL = "/v1/global-connections";
    private static final String OF_PROJECT = "/v1/app-connections";
    private static final String SECRET = "open-sesame-4711";

    @Test
    void makesOne_andItsProjectsSeeIt() {
        // Given
        var with = team();
        var without = team();

        // When
        var made = admin.api().post(ALL, request("made", with));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/scope")).isEqualTo("PLATFORM");
        assertThat(made.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(texts(made.body().path("projectIds"))).containsExactly(with);
        assertThat(made.body().toString()).doesNotContain(SECRET);
        assertThat(names(with)).containsExactly("made");
        assertThat(names(without)).isEmpty();
        assertThat(admin.api().get(OF_PROJECT + "/" + made.text("/id")).status())
                .isEqualTo(200);
    }

    @Test
    void makesUpAnExternalId_andWritesOverTheOneOfTheSame() {
        // Given
        var team = team();
        var other = team();

        // When
        var unnamed = admin.api().post(ALL, request("x", team).without("externalId"));
        var first = admin.api().post(ALL, request("over", team).put("preSelectForNewProjects", false));
        var second = admin.api().post(ALL, request("over", other));

        // Then
        assertThat(Ids.isId(unnamed.text("/externalId"))).isTrue();
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(texts(second.body().path("projectIds"))).containsExactly(other);
    }

    @Test
    void updatesWhatIsNamed() {
        // Given
        var one = team();
        var two = team();
        var id = admin.api().post(ALL, request("updated", one)).text("/id");
        var named = Json.object().put("displayName", "New");

        // When
        var renamed = admin.api()
                .post(
                        ALL + "/" + id,
                        named.deepCopy().set("metadata", Json.object().put("k", 1)));
        var moved = admin.api()
                .post(
                        ALL + "/" + id,
                        named.deepCopy().set("projectIds", Json.array().add(two).add(two)));
        var preSelected = admin.api().post(ALL + "/" + id, named.deepCopy().put("preSelectForNewProjects", true));
        var ended = admin.api().post(ALL + "/" + id, named.deepCopy().put("preSelectForNewProjects", false));
        var taken = admin.api().post(ALL + "/" + id, named.deepCopy().set("projectIds", Json.array()));

        // Then
        assertThat(renamed.status()).isEqualTo(200);
        assertThat(renamed.text("/displayName")).isEqualTo("New");
        assertThat(texts(renamed.body().path("projectIds"))).containsExactly(one);
        assertThat(texts(moved.body().path("projectIds"))).containsExactly(two);
        assertThat(moved.body().at("/metadata/k").asInt()).isEqualTo(1);
        assertThat(preSelected.body().path("preSelectForNewProjects").asBoolean())
                .isTrue();
        assertThat(ended.body().path("preSelectForNewProjects").asBoolean()).isFalse();
        assertThat(taken.body().path("projectIds")).isEmpty();
        assertThat(admin.api().get(OF_PROJECT + "/" + id).status()).isEqualTo(403);
    }

    @Test
    void refusesMalformedBodies_andProjectsOfOthers() {
        // Given
        var team = team();
        var id = admin.api().post(ALL, request("refusing", team)).text("/id");
        var named = Json.object().put("displayName", "New");
        var foreign = server.foreignProject();

        // Then
        for (var body : new JsonNode[] {
            request("x", team).without("projectIds"), request("x", team).put("projectIds", team),
            request("x", team).put("scope", "PROJECT"), request("x", team).without("scope"),
            request("x", team).put("externalId", ""), request("x", team).put("preSelectForNewProjects", "yes"),
            request("x", team).put("type", "PLACEHOLDER")
        }) {
            assertThat(admin.api().post(ALL, body).status()).as(body.toString()).isEqualTo(400);
        }
        var unknown = admin.api().post(ALL, request("x", Ids.next()));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.text("/params/entityType")).isEqualTo("Project");
        assertThat(admin.api().post(ALL, request("x", foreign)).status()).isEqualTo(404);
        assertThat(admin.api()
                        .post(
                                ALL + "/" + id,
                                named.deepCopy().set("projectIds", Json.array().add(foreign)))
                        .status())
                .isEqualTo(404);
        assertThat(admin.api().post(ALL + "/" + id, Json.object()).status()).isEqualTo(400);
        assertThat(admin.api()
                        .post(ALL + "/" + id, Json.object().put("displayName", ""))
                        .status())
                .isEqualTo(400);
        assertThat(names(team)).containsExactly("refusing");
    }

    @Test
    void onlyAdministratorsAndKeysMay_andEachOnTheirPlatform() {
        // Given
        var team = team();
        var id = admin.api().post(ALL, request("guarded", team)).text("/id");
        var editor = server.signUp("edith@example.com", "Edith");
        server.join(editor, team, "Editor");
        var key = key();
        var foreignConnection = foreignConnection();

        // Then
        assertThat(editor.api().get(ALL).status()).isEqualTo(403);
        assertThat(editor.api().post(ALL, request("x", team)).status()).isEqualTo(403);
        assertThat(editor.api().delete(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(editor.api().get(OF_PROJECT + "/" + id).status()).isEqualTo(200);
        assertThat(editor.api().delete(OF_PROJECT + "/" + id).status()).isEqualTo(403);
        assertThat(editor.api()
                        .post(OF_PROJECT + "/" + id, Json.object().put("displayName", "x"))
                        .status())
                .isEqualTo(403);
        for (var own : new ApiClient[] {admin.api(), key}) {
            assertThat(own.get(ALL).status()).isEqualTo(200);
            assertThat(own.get(ALL).body().toString()).doesNotContain(foreignConnection);
            assertThat(own.delete(ALL + "/" + foreignConnection).status()).isEqualTo(404);
            assertThat(own.post(ALL + "/" + foreignConnection, Json.object().put("displayName", "x"))
                            .status())
                    .isEqualTo(404);
        }
        assertThat(key.delete(ALL + "/" + id).status()).isEqualTo(204);
        assertThat(key.delete(ALL + "/" + id).status()).isEqualTo(404);
        assertThat(names(team)).isEmpty();
    }

    @Test
    void newProjectsGetWhatTheyAskFor_andWhatEveryNewProjectGets() {
        // Given
        admin.api().post(ALL, request("asked-for", team()));
        var everywhere = admin.api()
                .post(ALL, request("everywhere", team()).put("preSelectForNewProjects", true))
                .text("/id");
        var request = Json.object().put("displayName", "New");
        request.putArray("globalConnectionExternalIds").add("asked-for").add("nobody-knows");

        // When
        var made = admin.api().post("/v1/projects", request).text("/id");
        var person = server.signUp("pia@example.com", "Pia");

        // Then
        assertThat(names(made)).containsExactlyInAnyOrder("asked-for", "everywhere");
        assertThat(names(person.projectId())).containsExactly("everywhere");
        admin.api().delete(ALL + "/" + everywhere);
    }

    @Test
    void updatingAProjectSetsTheWholeWantedSet() {
        // Given
        var team = team();
        admin.api().post(ALL, request("wanted-1", team));
        admin.api().post(ALL, request("wanted-2", team()));
        admin.api().post(OF_PROJECT, ofProject("own", team));

        // When
        var absent = change(team, Json.object().put("releasesEnabled", true));
        var namesAfterAbsent = names(team);
        change(team, wanted("wanted-2", "wanted-2", "nobody-knows"));
        var namesAfterWanted = names(team);
        change(team, wanted());
        var malformed = change(team, Json.object().put("globalConnectionExternalIds", "wanted-1"));

        // Then
        assertThat(absent.status()).isEqualTo(200);
        assertThat(namesAfterAbsent).containsExactlyInAnyOrder("wanted-1", "own");
        assertThat(namesAfterWanted).containsExactlyInAnyOrder("wanted-2", "own");
        assertThat(names(team)).containsExactly("own");
        assertThat(malformed.status()).isEqualTo(400);
    }

    @Test
    void administratorsOfAProjectAddNoConnectionsOfThePlatform() {
        // Given
        var team = team();
        admin.api().post(ALL, request("given-1", team));
        admin.api().post(ALL, request("of-others", team()));
        var member = server.signUp("pam@example.com", "Pam");
        server.join(member, team, "Admin");
        var project = "/v1/projects/" + team;

        // When
        var more = member.api().post(project, wanted("given-1", "of-others"));
        var namesAfterMore = names(team);
        var same = member.api().post(project, wanted("given-1", "nobody-knows"));
        var fewer = member.api().post(project, wanted());
        var again = member.api().post(project, wanted("given-1"));

        // Then
        assertThat(more.status()).isEqualTo(409);
        assertThat(more.text("/params/message")).startsWith("globalConnectionExternalIds: expected");
        assertThat(namesAfterMore).containsExactly("given-1");
        assertThat(same.status()).isEqualTo(200);
        assertThat(fewer.status()).isEqualTo(200);
        assertThat(again.status()).isEqualTo(409);
        assertThat(names(team)).isEmpty();
    }

    @Test
    void flowsUseIt_unlessTheProjectHasItsOwnOfThatName_orItIsTakenAway() {
        // Given
        var team = team();
        var id = admin.api().post(ALL, request("used", team)).text("/id");
        var owner = new TestServer.SignedIn(admin.api(), admin.userId(), admin.platformId(), team);
        var flow = LiveFlow.publish(
                owner, FlowScript.webhook().returnJson("step_1", "{'is':'{{connections.used.secret_text}}'}"));

        // When
        var global = flow.callAndWait(Json.object());
        var own = admin.api().post(OF_PROJECT, ofProject("used", team)).text("/id");
        var shadowed = flow.callAndWait(Json.object());
        admin.api().delete(OF_PROJECT + "/" + own);
        var again = flow.callAndWait(Json.object());
        admin.api().post(ALL + "/" + id, Json.object().put("displayName", "x").set("projectIds", Json.array()));
        var taken = flow.callAndWait(Json.object());

        // Then
        assertThat(global.text("/is")).isEqualTo(SECRET);
        assertThat(shadowed.text("/is")).isEqualTo("own");
        assertThat(again.text("/is")).isEqualTo(SECRET);
        assertThat(taken.status()).isEqualTo(500);
    }

    @Test
    void listsOverThePlatform_withProjectsAndOwners() {
        // Given
        var team = team();
        server.clock().advance(Duration.ofSeconds(1));
        admin.api().post(ALL, request("listed-global", team));
        server.clock().advance(Duration.ofSeconds(1));
        admin.api().post(OF_PROJECT, ofProject("listed-own", team));
        var path = "/v1/platform-app-connections?projectIds=" + team;
        foreignConnection();

        // When
        var all = admin.api().get(path);
        var owners = admin.api().get("/v1/platform-app-connections/owners");

        // Then
        assertThat(externalIds(all)).containsExactly("listed-global", "listed-own");
        assertThat(all.text("/data/0/projects/0/id")).isEqualTo(team);
        assertThat(all.text("/data/0/projects/0/displayName")).isEqualTo("Team");
        assertThat(all.text("/data/0/projects/0/type")).isEqualTo("TEAM");
        assertThat(externalIds(admin.api().get(path + "&scope=PLATFORM"))).containsExactly("listed-global");
        assertThat(externalIds(admin.api().get(path + "&ownerIds=" + admin.userId())))
                .hasSize(2);
        assertThat(externalIds(admin.api().get(path + "&ownerIds=" + Ids.next())))
                .isEmpty();
        assertThat(externalIds(admin.api().get(path + "&limit=1"))).containsExactly("listed-global");
        assertThat(owners.body().path("data").findValuesAsText("email")).containsExactly("ada@example.com");
        assertThat(owners.body().path("truncated").asBoolean()).isFalse();
        assertThat(all.body().toString()).doesNotContain(SECRET);
    }

    private static ApiClient.Answer change(String projectId, JsonNode changes) {
        return admin.api().post("/v1/projects/" + projectId, changes);
    }

    private static ObjectNode wanted(String... externalIds) {
        var changes = Json.object();
        var list = changes.putArray("globalConnectionExternalIds");
        List.of(externalIds).forEach(list::add);
        return changes;
    }

    private static ObjectNode request(String externalId, String projectId) {
        var body = ofProject(externalId, projectId).put("scope", "PLATFORM");
        body.remove("projectId");
        body.putArray("projectIds").add(projectId);
        body.withObjectProperty("value").put("secret_text", SECRET);
        return body;
    }

    private static ObjectNode ofProject(String externalId, String projectId) {
        var body = Json.object()
                .put("projectId", projectId)
                .put("externalId", externalId)
                .put("displayName", "A connection")
                .put("pieceName", "@activepieces/piece-http")
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "own");
        return body;
    }

    private static String team() {
        return ConnectionBody.team(admin);
    }

    private static ApiClient key() {
        return admin.withApiKey();
    }

    /** Creates a global connection of another platform; returns its id. */
    private static String foreignConnection() {
        var id = Ids.next();
        server.execute(
                "insert into app_connection (id, created, updated, external_id, display_name, type, scope, status,"
                        + " piece_name, piece_version, platform_id, pre_select_for_new_projects, sealed_value)"
                        + " select $1, now(), now(), $1, 'Foreign', 'NO_AUTH', 'PLATFORM', 'ACTIVE', 'x', '0.1.0',"
                        + " p.platform_id, true, '' from project p where p.id = $2",
                id,
                server.foreignProject());
        return id;
    }

    private static List<String> names(String projectId) {
        return externalIds(admin.api().get(OF_PROJECT + "?limit=100&projectId=" + projectId));
    }

    private static List<String> externalIds(ApiClient.Answer list) {
        return list.body()
                .path("data")
                .valueStream()
                .map(row -> row.path("externalId").asText())
                .toList();
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }
}
