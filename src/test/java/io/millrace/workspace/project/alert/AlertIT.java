package io.millrace.workspace.project.alert;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.MailServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AlertIT {
    private static final String ALERTS = "/v1/alerts";

    @AutoClose
    private static MailServer mail = MailServer.start();

    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with(mail.settings()).start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void mailsTheFirstFailureOfAVersionInADay_toEveryReceiver() {
        // given
        var project = admin.api()
                .post(
                        "/v1/projects",
                        Json.object().put("displayName", "Night shift").put("alertReceiverEmail", "Ops@example.com"))
                .text("/id");
        var owner = new TestServer.SignedIn(admin.api(), admin.userId(), admin.platformId(), project);
        admin.api().post(ALERTS, request(project, "boss@example.com"));
        var flow = LiveFlow.publish(owner, webhook().http("step_1", "GET", "http://10.0.0.1/"));
        var fine = LiveFlow.publish(owner, webhook().map("step_1", "{'a':1}"));

        // when
        fine.run(json("{}"));
        admin.api().post("/v1/webhooks/" + flow.id() + "/draft", json("{}"));
        Waiting.until(
                "a failed test",
                () -> server.count("select count(*) from ended_run where environment = 'TESTING'") == 1);
        var run = flow.run(json("{}"));
        flow.run(json("{}"));

        // then
        var letter = mail.awaitNth("ops@example.com", 1);
        assertThat(letter.subject()).isEqualTo("Mill failed in Night shift");
        assertThat(letter.text())
                .contains(run.path("id").asText(), "ended FAILED", "The step_1", "Example")
                .contains("Cause (limit): The address is private, and AP_SSRF_ALLOW_LIST does not contain it.")
                .contains("/runs/" + run.path("id").asText())
                .doesNotContain("10.0.0.1");
        assertThat(mail.awaitFor("boss@example.com", 1)).hasSize(1);

        // when another version fails, and the first failure recurs a day later
        flow.change(webhook().http("step_1", "GET", "http://10.0.0.2/"));
        flow.publish();
        flow.run(json("{}"));
        mail.awaitFor("ops@example.com", 2);
        server.clock().advance(Duration.ofHours(24));
        flow.run(json("{}"));

        // then
        mail.awaitFor("ops@example.com", 3);
        assertThat(mail.takenFor("ada@example.com")).isEmpty();
        assertThat(mail.takenFor("ops@example.com")).hasSize(3);
        assertThat(server.anonymous()
                        .get("/v1/flags")
                        .body()
                        .path("SHOW_ALERTS")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void addsListsAndDeletesReceivers() {
        // given
        var team = admin.inTeam("Team").projectId();

        // when
        var one = admin.api().post(ALERTS, request(team, "Mel@Example.com"));
        server.clock().advance(Duration.ofSeconds(1));
        var two = admin.api().post(ALERTS, request(team, "vic@example.com"));

        // then
        assertThat(one.status()).isEqualTo(200);
        assertThat(one.text("/receiver")).isEqualTo("mel@example.com");
        assertThat(one.text("/channel")).isEqualTo("EMAIL");
        var first = admin.api().get(ALERTS + "?limit=1&projectId=" + team);
        assertThat(first.text("/data/0/id")).isEqualTo(two.text("/id"));
        var second = admin.api().get(ALERTS + "?limit=1&projectId=" + team + "&cursor=" + first.text("/next"));
        assertThat(second.body().at("/data/0")).isEqualTo(one.body());

        // when
        var deleted = admin.api().delete(ALERTS + "/" + one.text("/id"));

        // then
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(admin.api().delete(ALERTS + "/" + one.text("/id")).status()).isEqualTo(404);
        assertThat(admin.api().get(ALERTS + "?projectId=" + team).body().path("data"))
                .hasSize(1);
    }

    @Test
    void haveThePersonOfAPersonalProjectAsReceiver_andNobodyOfATeam() {
        // when
        var bob = server.signUp("Bob.Personal@example.com", "Bob");

        // then
        assertThat(bob.api()
                        .get(ALERTS + "?projectId=" + bob.projectId())
                        .body()
                        .path("data"))
                .singleElement()
                .satisfies(alert -> assertThat(alert.path("receiver").asText()).isEqualTo("bob.personal@example.com"));
        var team = admin.inTeam("Quiet").projectId();
        assertThat(admin.api().get(ALERTS + "?projectId=" + team).body().path("data"))
                .isEmpty();
    }

    @Test
    void refusesReceiversThatAreThereOrMayNotHear() {
        // given
        var team = admin.inTeam("Twice").projectId();
        admin.api().post(ALERTS, request(team, "mel@example.com"));

        // when
        var again = admin.api().post(ALERTS, request(team, "MEL@example.com"));
        var stranger = admin.api().post(ALERTS, request(admin.projectId(), "mel@example.com"));
        server.execute("delete from alert where project_id = $1", admin.projectId());
        var owner = admin.api().post(ALERTS, request(admin.projectId(), "ADA@example.com"));

        // then
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/code")).isEqualTo("EXISTING_ALERT_CHANNEL");
        assertThat(stranger.status()).isEqualTo(409);
        assertThat(stranger.text("/code")).isEqualTo("VALIDATION");
        assertThat(owner.status()).isEqualTo(200);
    }

    @Test
    void refusesMalformedInput_eachFieldByName() {
        for (var body : new ObjectNode[] {
            request("short", "mel@example.com"),
            request(admin.projectId(), "nobody"),
            request(admin.projectId(), "mel@example.com").put("channel", "PIGEON"),
            Json.object()
        }) {
            assertThat(admin.api().post(ALERTS, body).status())
                    .as(body.toString())
                    .isEqualTo(400);
        }
        var listed = ALERTS + "?projectId=" + admin.projectId();
        assertThat(admin.api().get(listed + "&limit=101").text("/message")).startsWith("querystring/limit ");
        assertThat(admin.api().get(listed + "&limit=0").text("/message"))
                .startsWith("querystring/limit ")
                .doesNotContain(", ");
        assertThat(admin.api().get(listed + "&limit=0").status()).isEqualTo(400);
        assertThat(admin.api().get(ALERTS).status()).isEqualTo(400);
        assertThat(admin.api().delete(ALERTS + "/short").status()).isEqualTo(400);
    }

    @Test
    void refusesKeysStrangersAndViewers() {
        // given
        var team = admin.inTeam("Guarded").projectId();
        var id = admin.api().post(ALERTS, request(team, "ada@example.com")).text("/id");
        var key = admin.api().post("/v1/api-keys", Json.object().put("displayName", "key"));
        var viewer = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);
        server.join(viewer, team, "Viewer");

        // then
        assertThat(admin.api()
                        .with(key.text("/value"))
                        .get(ALERTS + "?projectId=" + team)
                        .status())
                .isEqualTo(403);
        assertThat(viewer.api().get(ALERTS + "?projectId=" + team).status()).isEqualTo(403);
        assertThat(viewer.api().delete(ALERTS + "/" + id).status()).isEqualTo(403);
        assertThat(admin.api()
                        .post(ALERTS, request(server.foreignProject(), "ada@example.com"))
                        .status())
                .isEqualTo(403);
        assertThat(admin.api().delete(ALERTS + "/" + Ids.next()).status()).isEqualTo(404);
    }

    private static ObjectNode request(String projectId, String receiver) {
        return Json.object().put("projectId", projectId).put("channel", "EMAIL").put("receiver", receiver);
    }
}
