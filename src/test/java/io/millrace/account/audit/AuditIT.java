package io.millrace.account.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditIT extends OpenServer {
    private static final String EVENTS = "/v1/audit-events";

    @Test
    void recordsWhatIsDoneToAFlow_newestFirst() {
        // Given
        var team = admin.inTeam("Millers");
        var flow = LiveFlow.publish(team, FlowScript.webhook());
        var externalId = flow.externalId();

        // When
        admin.api().delete("/v1/flows/" + flow.id());

        // Then
        var events = events("&projectId=" + team.projectId());
        assertThat(events.findValuesAsText("action"))
                .startsWith("flow.deleted", "flow.activated", "flow.published", "flow.updated")
                .endsWith("flow.created");
        var deleted = events.get(0);
        assertThat(deleted.path("platformId").asText()).isEqualTo(admin.platformId());
        assertThat(deleted.path("projectDisplayName").asText()).isEqualTo("Millers");
        assertThat(deleted.path("userEmail").asText()).isEqualTo("ada@example.com");
        assertThat(deleted.path("ip").asText()).isEqualTo("127.0.0.1");
        assertThat(deleted.at("/data/flow/id").asText()).isEqualTo(flow.id());
        assertThat(deleted.at("/data/flow/externalId").asText()).isEqualTo(externalId);
        assertThat(deleted.at("/data/flowVersion/flowId").asText()).isEqualTo(flow.id());
        assertThat(deleted.at("/data/project/displayName").asText()).isEqualTo("Millers");
        assertThat(deleted.at("/data/project/externalId").isNull()).isTrue();
        assertThat(events.get(events.size() - 1).at("/data/flow/displayName").asText())
                .isEqualTo("Mill");
        assertThat(events.get(3).at("/data/request/type").asText()).isEqualTo("LOCK_AND_PUBLISH");
    }

    @Test
    void recordsFoldersVariablesRolesAndAccounts() {
        // Given
        var team = admin.inTeam("Everything");
        var mel = server.signUp("mel@example.com", "Mel");
        var folder = admin.api()
                .post("/v1/folders", inProject(team).put("displayName", "Orders"))
                .text("/id");
        var variable = admin.api()
                .post("/v1/variables", inProject(team).put("name", "HOST").put("value", "a secret value"))
                .text("/id");

        // When
        admin.api().post("/v1/folders/" + folder, Json.object().put("displayName", "Bills"));
        admin.api().delete("/v1/folders/" + folder);
        admin.api().send("POST", "/v1/variables/" + variable + "/reveal", Map.of(), "");
        admin.api().delete("/v1/variables/" + variable);
        var role = Json.object().put("name", "Deployer").put("type", "CUSTOM");
        role.putArray("permissions").add("READ_FLOW");
        admin.api().post("/v1/project-roles", role);
        admin.api().delete("/v1/project-roles/Deployer");
        var signIn = Json.object().put("email", "mel@example.com").put("password", "not the password");
        server.anonymous().post("/v1/authentication/sign-in", signIn);

        // Then
        var events = events("&projectId=" + team.projectId());
        assertThat(events.findValuesAsText("action"))
                .containsExactly(
                        "variable.deleted",
                        "variable.value.revealed",
                        "folder.deleted",
                        "folder.updated",
                        "variable.upserted",
                        "folder.created");
        assertThat(events.get(3).at("/data/folder/displayName").asText()).isEqualTo("Bills");
        assertThat(events.toString()).doesNotContain("a secret value");
        assertThat(events("&action=project.role.created&action=project.role.deleted")
                        .findValuesAsText("action"))
                .containsExactly("project.role.deleted", "project.role.created");
        var mels = events("&userId=" + mel.userId());
        assertThat(mels.findValuesAsText("action")).containsExactly("user.signed.up");
        assertThat(mels.at("/0/data/user/email").asText()).isEqualTo("mel@example.com");
        assertThat(mels.at("/0/data/source").asText()).isEqualTo("credentials");
    }

    @Test
    void recordsConnections_withoutTheirValues() {
        // Given
        var team = admin.inTeam("Connected");
        var request = inProject(team)
                .put("externalId", "mill")
                .put("displayName", "Mill")
                .put("pieceName", "@activepieces/piece-http")
                .put("type", "NO_AUTH");
        request.putObject("value").put("type", "NO_AUTH");

        // When
        var made = admin.api().post("/v1/app-connections", request);
        var renamed = admin.api()
                .post("/v1/app-connections/" + made.text("/id"), Json.object().put("displayName", "Old mill"));
        admin.api().delete("/v1/app-connections/" + made.text("/id"));

        // Then
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(renamed.status()).isEqualTo(200);
        var events = events("&projectId=" + team.projectId());
        assertThat(events.findValuesAsText("action"))
                .containsExactly("connection.deleted", "connection.upserted", "connection.upserted");
        assertThat(events.at("/0/data/connection/displayName").asText()).isEqualTo("Old mill");
        assertThat(events.at("/0/data/connection/externalId").asText()).isEqualTo("mill");
        assertThat(events.at("/0/data/connection").has("value")).isFalse();
    }

    @Test
    void forgetsWhatIsOld_andProvesTheRest() {
        // Given
        var settings = Map.of("AP_EXECUTION_DATA_RETENTION_DAYS", "1");
        try (var first = TestServer.start(settings)) {
            var owner = first.signUp("eve@example.com", "Eve");
            var folder = Json.object().put("projectId", owner.projectId()).put("displayName", "A");
            first.clock().advance(Duration.ofHours(25));
            owner.api().post("/v1/folders", folder);
            first.stopServer();

            // When
            try (var second = first.successor()) {
                var log = owner.api().at(second);
                Waiting.until(
                        "the old event to be gone",
                        () -> log.get(EVENTS).body().path("data").size() == 1);

                // Then
                assertThat(log.get(EVENTS).text("/data/0/action")).isEqualTo("folder.created");
                assertThat(log.get(EVENTS + "/verification").body())
                        .isEqualTo(Json.trusted("{\"events\":1,\"intact\":true}"));
            }
        }
    }

    @Test
    void recordsNothing_whenTheChangeIsRefused() {
        // Given
        var team = admin.inTeam("Refused");
        admin.api().post("/v1/folders", inProject(team).put("displayName", "One"));
        var two = admin.api()
                .post("/v1/folders", inProject(team).put("displayName", "Two"))
                .text("/id");

        // When
        var refused = admin.api().post("/v1/folders/" + two, Json.object().put("displayName", "ONE"));

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(events("&projectId=" + team.projectId()).findValuesAsText("action"))
                .containsExactly("folder.created", "folder.created");
    }

    @Test
    void filtersByTime_andWalksPages() {
        // Given
        var team = admin.inTeam("Paged");
        var path = EVENTS + "?limit=2&projectId=" + team.projectId();
        for (var name : new String[] {"A", "B", "C"}) {
            server.clock().advance(Duration.ofSeconds(10));
            admin.api().post("/v1/folders", inProject(team).put("displayName", name));
        }
        var before = Json.timestamp(server.clock().instant().minusSeconds(5));

        // When
        var first = admin.api().get(path);
        var second = admin.api().get(path + "&cursor=" + first.text("/next"));
        var early = admin.api().get(path + "&createdBefore=" + before);
        var late = admin.api().get(path + "&createdAfter=" + before);

        // Then
        assertThat(names(first)).containsExactly("C", "B");
        assertThat(names(second)).containsExactly("A");
        assertThat(second.body().path("next").isNull()).isTrue();
        assertThat(names(early)).containsExactly("B", "A");
        assertThat(names(late)).containsExactly("C");
    }

    @Test
    void refusesMalformedFilters_andThoseWhoDoNotAdministerThePlatform() {
        // Given
        var vic = server.signUp("vic@example.com", "Vic", PlatformRole.OPERATOR);
        var key = admin.api().post("/v1/api-keys", Json.object().put("displayName", "key"));

        // Then
        assertThat(vic.api().get(EVENTS).status()).isEqualTo(403);
        assertThat(vic.api().get(EVENTS + "/verification").status()).isEqualTo(403);
        assertThat(server.anonymous().get(EVENTS).status()).isEqualTo(403);
        assertThat(server.anonymous().with(key.text("/value")).get(EVENTS).status())
                .isEqualTo(200);
        assertThat(admin.api().get(EVENTS + "?action=flow.eaten").text("/message"))
                .startsWith("querystring/action Invalid option");
        assertThat(admin.api().get(EVENTS + "?createdAfter=yesterday").status()).isEqualTo(400);
        assertThat(admin.api().get(EVENTS + "?cursor=abc").status()).isEqualTo(400);
        assertThat(admin.api()
                        .get(EVENTS + "?projectId=" + server.foreignProject())
                        .body()
                        .path("data"))
                .isEmpty();
    }

    @Test
    void noticesAnEventThatWasChangedOrTakenOut() {
        try (var own = TestServer.start()) {
            // Given
            var owner = own.signUp("eve@example.com", "Eve");
            var path = EVENTS + "/verification";
            for (var name : new String[] {"A", "B", "C"}) {
                owner.api()
                        .post(
                                "/v1/folders",
                                Json.object()
                                        .put("projectId", owner.projectId())
                                        .put("displayName", name));
            }
            var whole = owner.api().get(path);

            // When
            own.execute("update audit_event set body = replace(body, '\"B\"', '\"X\"') where sequence = 3");
            var changed = owner.api().get(path);
            own.execute("update audit_event set body = replace(body, '\"X\"', '\"B\"') where sequence = 3");
            var repaired = owner.api().get(path);
            own.execute("delete from audit_event where sequence = 4");
            var cut = owner.api().get(path);

            // Then
            assertThat(whole.body()).isEqualTo(Json.trusted("{\"events\":4,\"intact\":true}"));
            assertThat(changed.body()).isEqualTo(Json.trusted("{\"events\":2,\"intact\":false}"));
            assertThat(repaired.body()).isEqualTo(whole.body());
            assertThat(cut.body()).isEqualTo(Json.trusted("{\"events\":3,\"intact\":false}"));
        }
    }

    private static ObjectNode inProject(TestServer.SignedIn team) {
        return Json.object().put("projectId", team.projectId());
    }

    private static JsonNode events(String filter) {
        var answer = admin.api().get(EVENTS + "?limit=100" + filter);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().path("data");
    }

    private static List<String> names(ApiClient.Answer answer) {
        return answer.body().path("data").findValues("folder").stream()
                .map(folder -> folder.path("displayName").asText())
                .toList();
    }
}
