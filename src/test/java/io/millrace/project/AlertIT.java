package io.millrace.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.PlatformRole;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AlertIT {
    private static final String ALERTS = "/v1/alerts";

    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void addsListsAndDeletesReceivers() {
        // Given
        var team = admin.inTeam("Team").projectId();

        // When
        var one = admin.api().post(ALERTS, wish(team, "Mel@Example.com"));
        server.clock().advance(Duration.ofSeconds(1));
        var two = admin.api().post(ALERTS, wish(team, "vic@example.com"));

        // Then
        assertThat(one.status()).isEqualTo(200);
        assertThat(one.text("/receiver")).isEqualTo("mel@example.com");
        assertThat(one.text("/channel")).isEqualTo("EMAIL");
        var first = admin.api().get(ALERTS + "?limit=1&projectId=" + team);
        assertThat(first.text("/data/0/id")).isEqualTo(two.text("/id"));
        var second = admin.api().get(ALERTS + "?limit=1&projectId=" + team + "&cursor=" + first.text("/next"));
        assertThat(second.body().at("/data/0")).isEqualTo(one.body());

        // When
        var deleted = admin.api().delete(ALERTS + "/" + one.text("/id"));

        // Then
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(admin.api().delete(ALERTS + "/" + one.text("/id")).status()).isEqualTo(404);
        assertThat(admin.api().get(ALERTS + "?projectId=" + team).body().path("data"))
                .hasSize(1);
    }

    @Test
    void refusesReceiversThatAreThereOrMayNotHear() {
        // Given
        var team = admin.inTeam("Twice").projectId();
        admin.api().post(ALERTS, wish(team, "mel@example.com"));

        // When
        var again = admin.api().post(ALERTS, wish(team, "MEL@example.com"));
        var stranger = admin.api().post(ALERTS, wish(admin.projectId(), "mel@example.com"));
        server.execute("delete from alert where project_id = $1", admin.projectId());
        var owner = admin.api().post(ALERTS, wish(admin.projectId(), "ADA@example.com"));

        // Then
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/code")).isEqualTo("EXISTING_ALERT_CHANNEL");
        assertThat(stranger.status()).isEqualTo(409);
        assertThat(stranger.text("/code")).isEqualTo("VALIDATION");
        assertThat(owner.status()).isEqualTo(200);
    }

    @Test
    void refusesMalformedInput_eachFieldByName() {
        for (var body : new ObjectNode[] {
            wish("short", "mel@example.com"),
            wish(admin.projectId(), "nobody"),
            wish(admin.projectId(), "mel@example.com").put("channel", "PIGEON"),
            Json.object()
        }) {
            assertThat(admin.api().post(ALERTS, body).status())
                    .as(body.toString())
                    .isEqualTo(400);
        }
        var listed = ALERTS + "?projectId=" + admin.projectId();
        assertThat(admin.api().get(listed + "&limit=101").text("/message")).startsWith("querystring/limit ");
        assertThat(admin.api().get(ALERTS).status()).isEqualTo(400);
        assertThat(admin.api().delete(ALERTS + "/short").status()).isEqualTo(400);
    }

    @Test
    void refusesKeysStrangersAndViewers() {
        // Given
        var team = admin.inTeam("Guarded").projectId();
        var id = admin.api().post(ALERTS, wish(team, "ada@example.com")).text("/id");
        var key = admin.api().post("/v1/api-keys", Json.object().put("displayName", "key"));
        var viewer = server.signUp("vera@example.com", "Vera");
        server.give(viewer, PlatformRole.MEMBER);
        server.join(viewer, team, "Viewer");

        // Then
        assertThat(admin.api()
                        .with(key.text("/value"))
                        .get(ALERTS + "?projectId=" + team)
                        .status())
                .isEqualTo(403);
        assertThat(viewer.api().get(ALERTS + "?projectId=" + team).status()).isEqualTo(403);
        assertThat(viewer.api().delete(ALERTS + "/" + id).status()).isEqualTo(403);
        assertThat(admin.api()
                        .post(ALERTS, wish(server.foreignProject(), "ada@example.com"))
                        .status())
                .isEqualTo(403);
        assertThat(admin.api().delete(ALERTS + "/" + Ids.next()).status()).isEqualTo(404);
    }

    private static ObjectNode wish(String projectId, String receiver) {
        return Json.object().put("projectId", projectId).put("channel", "EMAIL").put("receiver", receiver);
    }
}
