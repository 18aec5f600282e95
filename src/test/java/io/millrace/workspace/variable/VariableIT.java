package io.millrace.workspace.variable;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariableIT extends OpenServer {
    private static final String ALL = "/v1/variables";
    private static final String WORKER = "/v1/worker/variables/";
    private static final String SECRET = "the miller's own flour";

    @Test
    void makesOneAndNeverShowsItsValue() {
        // When
        var made = admin.api()
                .post(ALL, request("HOST").set("metadata", Json.object().put("k", 1)));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/name")).isEqualTo("HOST");
        assertThat(made.text("/projectId")).isEqualTo(admin.projectId());
        assertThat(made.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(made.text("/ownerId")).isEqualTo(admin.userId());
        assertThat(made.text("/owner/email")).isEqualTo("ada@example.com");
        assertThat(made.body().at("/metadata/k").asInt()).isEqualTo(1);
        assertThat(made.body().toString()).doesNotContain(SECRET);
        assertThat(admin.api()
                        .get(ALL + "?projectId=" + admin.projectId())
                        .body()
                        .toString())
                .contains("HOST")
                .doesNotContain(SECRET);
    }

    @Test
    void keepsTheValueSealed() {
        // When
        var made = admin.api().post(ALL, request("SEALED"));

        // Then
        assertThat(server.count(
                        "select count(*) from variable where id = $1 and position($2::bytea in sealed_value) = 0",
                        made.text("/id"),
                        SECRET.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(1);
    }

    @Test
    void showsAValueToTheCodeOfAPieceOfItsProjectOnly() {
        // Given
        var stranger = server.signUp("stranger@example.com", "Stan");
        admin.api().post(ALL, request("FOR_PIECES"));

        // When
        var shown = engine(admin.projectId()).get(WORKER + "FOR_PIECES");
        var missing = engine(admin.projectId()).get(WORKER + "NO_SUCH_NAME");
        var elsewhere = engine(stranger.projectId()).get(WORKER + "FOR_PIECES");
        var user = admin.api().get(WORKER + "FOR_PIECES");

        // Then
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body()).isEqualTo(Json.object().put("value", SECRET));
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
        assertThat(missing.text("/params/entityId")).isEqualTo("NO_SUCH_NAME");
        assertThat(elsewhere.status()).isEqualTo(404);
        assertThat(user.status()).isEqualTo(403);
        assertThat(user.text("/code")).isEqualTo("AUTHORIZATION");
    }

    /** Client with the token that code of a piece gets. */
    private static ApiClient engine(String projectId) {
        return server.anonymous().with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(projectId));
    }

    @Test
    void writesOverTheOneOfTheSameName() {
        // Given
        var first = admin.api()
                .post(ALL, request("AGAIN").set("metadata", Json.object().put("k", 1)));
        server.clock().advance(Duration.ofSeconds(1));

        // When
        var second = admin.api().post(ALL, request("AGAIN").put("value", "other"));

        // Then
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.text("/created")).isEqualTo(first.text("/created"));
        assertThat(second.text("/updated")).isNotEqualTo(first.text("/updated"));
        assertThat(second.body().at("/metadata/k").asInt()).isEqualTo(1);
        assertThat(reveal(second.text("/id")).text("/value")).isEqualTo("other");
    }

    @Test
    void changesValueAndMetadata_eachWhenNamed() {
        // Given
        var id = admin.api().post(ALL, request("CHANGING")).text("/id");

        // When
        var described = admin.api()
                .post(
                        ALL + "/" + id,
                        Json.object().set("metadata", Json.object().put("k", 2)));
        var valueBefore = reveal(id).text("/value");
        var changed = admin.api()
                .post(ALL + "/" + id, Json.object().put("value", "new").put("name", "OTHER"));

        // Then
        assertThat(described.status()).isEqualTo(200);
        assertThat(valueBefore).isEqualTo(SECRET);
        assertThat(changed.text("/name")).isEqualTo("CHANGING");
        assertThat(changed.body().at("/metadata/k").asInt()).isEqualTo(2);
        assertThat(reveal(id).text("/value")).isEqualTo("new");
    }

    @Test
    void findsByPartOfTheName_newestFirst_inPages() {
        // Given
        for (var name : new String[] {"PAGE_ONE", "PAGE_TWO", "PAGE_THREE"}) {
            server.clock().advance(Duration.ofSeconds(1));
            admin.api().post(ALL, request(name));
        }
        var path = ALL + "?limit=2&name=page_&projectId=" + admin.projectId();

        // When
        var first = admin.api().get(path);
        var second = admin.api().get(path + "&cursor=" + first.text("/next"));

        // Then
        assertThat(first.body().path("data").findValuesAsText("name")).containsExactly("PAGE_THREE", "PAGE_TWO");
        assertThat(second.body().path("data").findValuesAsText("name")).containsExactly("PAGE_ONE");
        assertThat(second.body().path("next").isNull()).isTrue();
    }

    @Test
    void deletesForGood() {
        // Given
        var id = admin.api().post(ALL, request("SHORT_LIVED")).text("/id");

        // When
        var deleted = admin.api().delete(ALL + "/" + id);

        // Then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(admin.api().delete(ALL + "/" + id).status()).isEqualTo(404);
        assertThat(reveal(id).status()).isEqualTo(404);
    }

    @Test
    void refusesMalformedFields_eachByName() {
        for (var body : new ObjectNode[] {
            request("A B"),
            request(""),
            request("X".repeat(201)),
            request("A").put("value", ""),
            request("A").put("value", 7),
            request("A").put("metadata", "text"),
            request("A").put("projectId", "short"),
            Json.object()
        }) {
            // When
            var answer = admin.api().post(ALL, body);

            // Then
            assertThat(answer.status()).as(body.toString()).isEqualTo(400);
            assertThat(answer.text("/code")).isEqualTo("FST_ERR_VALIDATION");
        }
        assertThat(admin.api().post(ALL, request("A-B")).text("/message")).isEqualTo("body/name invalidVariableName");
        assertThat(admin.api().post(ALL, request("A").put("value", "")).text("/message"))
                .isEqualTo("body/value formErrors.required");
    }

    @Test
    void apiKeyMayDoAll_butIsNotShownTheValue() {
        // Given
        var key = key(admin);

        // When
        var made = key.post(ALL, request("BY_KEY"));
        var revealed = key.send("POST", ALL + "/" + made.text("/id") + "/reveal", Map.of(), "");

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/ownerId")).isEqualTo(admin.userId());
        assertThat(revealed.status()).isEqualTo(403);
        assertThat(revealed.body().toString()).doesNotContain(SECRET);
        assertThat(key.delete(ALL + "/" + made.text("/id")).status()).isEqualTo(204);
    }

    @Test
    void strangersAreRefused_andViewersMayOnlyLook() {
        // Given
        var team = admin.api()
                .post("/v1/projects", Json.object().put("displayName", "Team"))
                .text("/id");
        var id =
                admin.api().post(ALL, request("GUARDED").put("projectId", team)).text("/id");
        var viewer = server.signUp("vera@example.com", "Vera");
        server.join(viewer, team, "Viewer");
        var stranger = server.signUp("stan@example.com", "Stan");
        var foreign = server.foreignProject();

        // Then
        assertThat(viewer.api().get(ALL + "?projectId=" + team).status()).isEqualTo(200);
        assertThat(stranger.api().get(ALL + "?projectId=" + team).status()).isEqualTo(403);
        for (var other : new ApiClient[] {viewer.api(), stranger.api()}) {
            assertThat(other.post(ALL, request("MINE").put("projectId", team)).status())
                    .isEqualTo(403);
            assertThat(other.post(ALL + "/" + id, Json.object().put("value", "x"))
                            .status())
                    .isEqualTo(403);
            assertThat(other.send("POST", ALL + "/" + id + "/reveal", Map.of(), "")
                            .status())
                    .isEqualTo(403);
            assertThat(other.delete(ALL + "/" + id).status()).isEqualTo(403);
        }
        for (var own : new ApiClient[] {admin.api(), key(admin)}) {
            assertThat(own.post(ALL, request("MINE").put("projectId", foreign)).status())
                    .isEqualTo(403);
            assertThat(own.get(ALL + "?projectId=" + foreign).status()).isEqualTo(403);
            assertThat(own.delete(ALL + "/" + Ids.next()).status()).isEqualTo(404);
        }
        assertThat(reveal(id).text("/value")).isEqualTo(SECRET);
    }

    @Test
    void flowUsesIt_andItsLogDoesNotShowIt() {
        try (var log = RecordedLog.of("io.millrace")) {
            // Given
            admin.api().post(ALL, request("GREETING"));
            var flow = LiveFlow.publish(
                    admin,
                    FlowScript.webhook()
                            .code(
                                    "step_1",
                                    "export const code = async (inputs) => inputs.text.length + inputs.none.length;",
                                    "{'text':'{{variables.GREETING}}','none':'{{variables.NOBODY}}',"
                                            + "'mixed':'say {{variables.GREETING}}!'}")
                            .returnJson("step_2", "{'length':'{{step_1.output}}'}"));

            // When
            var answer = flow.callAndWait(Json.object());
            var run = flow.ended(1);

            // Then
            assertThat(answer.body().path("length").asInt()).isEqualTo(SECRET.length());
            assertThat(run.at("/steps/step_1/input/text").asText()).isEqualTo("**REDACTED**");
            assertThat(run.at("/steps/step_1/input/mixed").asText()).isEqualTo("say **REDACTED**!");
            assertThat(run.toString()).doesNotContain(SECRET);
            assertThat(String.join("\n", log.lines())).doesNotContain(SECRET);
        }
    }

    private static ObjectNode request(String name) {
        return Json.object()
                .put("projectId", admin.projectId())
                .put("name", name)
                .put("value", SECRET);
    }

    private static ApiClient.Answer reveal(String id) {
        return admin.api().send("POST", ALL + "/" + id + "/reveal", Map.of(), "");
    }

    private static ApiClient key(TestServer.SignedIn owner) {
        return owner.withApiKey();
    }
}
