package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.OpenServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Connections of a project over HTTP. */
class ConnectionIT extends OpenServer {
    private static final String ALL = "/v1/app-connections";
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    @Test
    void makesOneOfEachPlainType_andNeverShowsItsValue() {
        for (var type : new String[] {"SECRET_TEXT", "BASIC_AUTH", "CUSTOM_AUTH", "NO_AUTH"}) {
            // When
            var made = admin.api().post(ALL, request("plain-" + type, type));
            var shown = admin.api().get(ALL + "/" + made.text("/id"));
            var listed = admin.api().get(ALL + "?limit=100&projectId=" + admin.projectId());

            // Then
            assertThat(made.status()).as(type).isEqualTo(201);
            assertThat(made.text("/type")).isEqualTo(type);
            assertThat(made.text("/status")).isEqualTo("ACTIVE");
            assertThat(made.text("/scope")).isEqualTo("PROJECT");
            assertThat(made.body().at("/projectIds").toString()).isEqualTo("[\"" + admin.projectId() + "\"]");
            assertThat(made.text("/ownerId")).isEqualTo(admin.userId());
            assertThat(made.text("/owner/email")).isEqualTo("ada@example.com");
            assertThat(made.text("/pieceVersion")).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
            assertThat(made.body().path("usingSecretManager").booleanValue()).isFalse();
            assertThat(made.body().path("preSelectForNewProjects").booleanValue())
                    .isFalse();
            assertThat(made.body().has("value")).isFalse();
            assertThat(shown.body()).isEqualTo(made.body());
            for (var answer : new ApiClient.Answer[] {made, shown, listed}) {
                assertThat(answer.body().toString()).doesNotContain(ConnectionBody.SECRET);
            }
            assertThat(server.count(
                            "select count(*) from app_connection where id = $1 and position($2::bytea in sealed_value) = 0",
                            made.text("/id"),
                            ConnectionBody.SECRET.getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(1);
        }
    }

    @Test
    void makesAPlaceWithoutValue() {
        // Given
        var request = request("place", "PLACEHOLDER");

        // When
        var made = admin.api().post(ALL, request);

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/type")).isEqualTo("NO_AUTH");
        assertThat(made.text("/status")).isEqualTo("MISSING");
    }

    @Test
    void needsNoPiece_whenThereIsNothingToCheckAndTheVersionIsNamed() {
        // When
        var later = request("later", "NO_AUTH").put("pieceName", "@nobody/piece-none");
        later.putObject("value").put("type", "NO_AUTH");
        var named = admin.api().post(ALL, later.deepCopy().put("pieceVersion", "1.2.3"));
        var newest = admin.api().post(ALL, later);
        var range = admin.api().post(ALL, later.deepCopy().put("pieceVersion", "~1.2.3"));

        // Then
        assertThat(named.status()).isEqualTo(201);
        assertThat(named.text("/pieceVersion")).isEqualTo("1.2.3");
        assertThat(newest.status()).isEqualTo(404);
        assertThat(range.status()).isEqualTo(404);
    }

    @Test
    void givesTheOneOfTheSameExternalIdAnotherValue() {
        // Given
        var first = admin.api()
                .post(
                        ALL,
                        request("again", "SECRET_TEXT")
                                .set("metadata", Json.object().put("k", 1)));
        server.clock().advance(Duration.ofSeconds(1));

        // When
        var second = admin.api().post(ALL, request("again", "BASIC_AUTH").put("displayName", "Other"));

        // Then
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.text("/created")).isEqualTo(first.text("/created"));
        assertThat(second.text("/updated")).isNotEqualTo(first.text("/updated"));
        assertThat(second.text("/type")).isEqualTo("BASIC_AUTH");
        assertThat(second.text("/displayName")).isEqualTo("Other");
        assertThat(second.body().at("/metadata/k").asInt()).isEqualTo(1);
    }

    @Test
    void keepsConnectionsOfProjectsApart_underTheSameExternalId() {
        // Given
        var team = team();

        // When
        var one = admin.api().post(ALL, request("shared-name", "SECRET_TEXT"));
        var other = admin.api().post(ALL, request("shared-name", "SECRET_TEXT").put("projectId", team));

        // Then
        assertThat(other.status()).isEqualTo(201);
        assertThat(other.text("/id")).isNotEqualTo(one.text("/id"));
    }

    @Test
    void filtersAndPages_oldestFirst() {
        // Given
        var team = team();
        for (var name : new String[] {"one", "two", "three"}) {
            server.clock().advance(Duration.ofSeconds(1));
            admin.api()
                    .post(
                            ALL,
                            request(name, "SECRET_TEXT").put("projectId", team).put("displayName", "My " + name));
        }
        server.clock().advance(Duration.ofSeconds(1));
        admin.api()
                .post(
                        ALL,
                        request("place", "PLACEHOLDER").put("projectId", team).put("pieceName", WEBHOOK));
        var path = ALL + "?projectId=" + team;

        // When
        var first = admin.api().get(path + "&limit=2");
        var second = admin.api().get(path + "&limit=2&cursor=" + first.text("/next"));

        // Then
        assertThat(names(first)).containsExactly("one", "two");
        assertThat(names(second)).containsExactly("three", "place");
        assertThat(names(admin.api().get(path + "&displayName=MY%20T"))).containsExactly("two", "three");
        assertThat(names(admin.api().get(path + "&status=MISSING&status=ERROR")))
                .containsExactly("place");
        assertThat(names(admin.api().get(path + "&pieceName=" + WEBHOOK))).containsExactly("place");
        assertThat(names(admin.api().get(path + "&scope=PLATFORM"))).isEmpty();
        assertThat(admin.api().get(path + "&status=GONE").status()).isEqualTo(400);
        assertThat(admin.api().get(path + "&scope=GONE").status()).isEqualTo(400);
        assertThat(admin.api().get(ALL).status()).isEqualTo(400);
    }

    @Test
    void renames() {
        // Given
        var id = admin.api().post(ALL, request("renamed", "SECRET_TEXT")).text("/id");

        // When
        var renamed = admin.api()
                .post(
                        ALL + "/" + id,
                        Json.object()
                                .put("displayName", "New")
                                .set("metadata", Json.object().put("k", 3)));
        var nothing = admin.api()
                .post(ALL + "/" + id, Json.object().put("displayName", "New").putNull("metadata"));
        var empty = admin.api().post(ALL + "/" + id, Json.object().put("displayName", ""));

        // Then
        assertThat(renamed.status()).isEqualTo(200);
        assertThat(renamed.text("/displayName")).isEqualTo("New");
        assertThat(renamed.body().at("/metadata/k").asInt()).isEqualTo(3);
        assertThat(nothing.status()).isEqualTo(400);
        assertThat(empty.status()).isEqualTo(400);
    }

    @Test
    void refusesMalformedBodies_namingTheField() {
        refused("externalId", body -> body.put("externalId", ""));
        refused("externalId", body -> body.put("externalId", "x".repeat(256)));
        refused("externalId", body -> body.remove("externalId"));
        refused("displayName", body -> body.put("displayName", 7));
        refused("pieceName", body -> body.remove("pieceName"));
        refused("projectId", body -> body.put("projectId", "short"));
        refused("metadata", body -> body.put("metadata", "text"));
        refused("type", body -> body.put("type", "NOTHING"));
        refused("value", body -> body.remove("value"));
        refused("value/type", body -> body.set("value", Json.object().put("type", "NO_AUTH")));
        refused("value/secret_text", body -> body.set("value", Json.object().put("type", "SECRET_TEXT")));
        refused("value/secret_text", body -> body.withObjectProperty("value").put("secret_text", ""));
    }

    private static void refused(String field, Consumer<ObjectNode> edit) {
        // Given
        var body = request("malformed", "SECRET_TEXT");
        edit.accept(body);

        // When
        var answer = admin.api().post(ALL, body);

        // Then
        assertThat(answer.status()).as(field).isEqualTo(400);
        assertThat(answer.text("/message")).contains("body/" + field + " ").doesNotContain(ConnectionBody.SECRET);
    }

    @Test
    void refusesUnknownPiece_andOAuthForAPieceWithoutIt() {
        // When
        var unknown = admin.api().post(ALL, request("x", "SECRET_TEXT").put("pieceName", "@nobody/piece-none"));
        var cloud = admin.api().post(ALL, oauth("CLOUD_OAUTH2"));
        var own = admin.api().post(ALL, oauth("OAUTH2"));
        var platform = admin.api().post(ALL, oauth("PLATFORM_OAUTH2"));

        // Then
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(cloud.status()).isEqualTo(400);
        assertThat(cloud.text("/code")).isEqualTo("INVALID_CLOUD_CLAIM");
        assertThat(own.text("/code")).isEqualTo("INVALID_CLAIM");
        assertThat(platform.text("/code")).isEqualTo("INVALID_CLAIM");
    }

    private static ObjectNode oauth(String type) {
        var body = request("oauth", type);
        body.putObject("value")
                .put("type", type)
                .put("client_id", "mill")
                .put("client_secret", ConnectionBody.SECRET)
                .put("code", "4711")
                .put("redirect_url", "https://example.com/redirect")
                .put("scope", "all");
        return body;
    }

    @Test
    void guardsEveryRoute() {
        // Given
        var team = team();
        var id = admin.api()
                .post(ALL, request("guarded", "SECRET_TEXT").put("projectId", team))
                .text("/id");
        var viewer = server.signUp(Ids.next() + "@example.com", "Vera");
        server.join(viewer, team, "Viewer");
        var stranger = server.signUp(Ids.next() + "@example.com", "Stan");
        var foreign = server.foreignProject();
        var key = key();

        // Then
        assertThat(viewer.api().get(ALL + "/" + id).status()).isEqualTo(200);
        assertThat(viewer.api().get(ALL + "?projectId=" + team).status()).isEqualTo(200);
        assertThat(viewer.api().get(ALL + "/owners?projectId=" + team).status()).isEqualTo(200);
        assertThat(stranger.api().get(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(stranger.api().get(ALL + "/owners?projectId=" + team).status())
                .isEqualTo(403);
        for (var other : new ApiClient[] {viewer.api(), stranger.api()}) {
            assertThat(other.post(ALL, request("guarded", "SECRET_TEXT").put("projectId", team))
                            .status())
                    .isEqualTo(403);
            assertThat(other.post(ALL + "/" + id, Json.object().put("displayName", "x"))
                            .status())
                    .isEqualTo(403);
            assertThat(other.delete(ALL + "/" + id).status()).isEqualTo(403);
            assertThat(other.send("POST", ALL + "/" + id + "/revalidate", Map.of(), "")
                            .status())
                    .isEqualTo(403);
            assertThat(other.get("/v1/platform-app-connections").status()).isEqualTo(403);
        }
        assertThat(key.get(ALL + "/" + id).status()).isEqualTo(200);
        assertThat(key.post(ALL, request("x", "SECRET_TEXT").put("projectId", foreign))
                        .status())
                .isEqualTo(403);
        assertThat(key.get(ALL + "?projectId=" + foreign).status()).isEqualTo(403);
        assertThat(key.get(ALL + "/" + Ids.next()).status()).isEqualTo(404);
        assertThat(key.delete(ALL + "/" + id).status()).isEqualTo(204);
        assertThat(key.get(ALL + "/" + id).status()).isEqualTo(404);
    }

    @Test
    void rechecks_andLeavesAPlaceAlone() {
        // Given
        var id = admin.api().post(ALL, request("rechecked", "SECRET_TEXT")).text("/id");
        var place =
                admin.api().post(ALL, request("rechecked-place", "PLACEHOLDER")).text("/id");
        server.execute("update app_connection set status = 'ERROR' where id = $1", id);

        // When
        var checked = admin.api().send("POST", ALL + "/" + id + "/revalidate", Map.of(), "");
        var left = admin.api().send("POST", ALL + "/" + place + "/revalidate", Map.of(), "");

        // Then
        assertThat(checked.status()).isEqualTo(200);
        assertThat(checked.text("/status")).isEqualTo("ACTIVE");
        assertThat(left.text("/status")).isEqualTo("MISSING");
    }

    @Test
    void tellsOwners_membersAndAdministrators() {
        // Given
        var team = team();
        var editor = server.signUp("edith@example.com", "Edith");
        server.join(editor, team, "Editor");
        server.signUp("nora@example.com", "Nora");

        // When
        var owners = admin.api().get(ALL + "/owners?projectId=" + team);

        // Then
        assertThat(owners.body().path("data").findValuesAsText("email"))
                .containsExactly("ada@example.com", "edith@example.com");
        assertThat(owners.body().at("/data/0").properties()).hasSize(3);
    }

    private static ObjectNode request(String externalId, String type) {
        return ConnectionBody.of(admin.projectId(), externalId, type);
    }

    private static String team() {
        return ConnectionBody.team(admin);
    }

    private static ApiClient key() {
        return admin.withApiKey();
    }

    private static List<String> names(ApiClient.Answer list) {
        return list.body().path("data").findValuesAsText("externalId").stream()
                .filter(name -> !name.isEmpty() && !name.equals("null"))
                .toList();
    }
}
