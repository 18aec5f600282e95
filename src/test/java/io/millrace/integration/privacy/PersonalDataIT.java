package io.millrace.integration.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Export and erasure of the personal data of a user. */
final class PersonalDataIT {
    private static TestServer server;
    private static TestServer.SignedIn owner;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
        owner = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String dataOf(TestServer.SignedIn user) {
        return "/v1/users/" + user.userId() + "/data";
    }

    private static long rowsNaming(String email) {
        return server.count("""
                select (select count(*) from user_identity where email = $1) + (select count(*) from alert where receiver = $1)
                  + (select count(*) from user_invitation where email = $1)
                """, email);
    }

    /** Bob has a flow in a team, an alert there and in his personal project, and a pending invitation. */
    private static TestServer.SignedIn bob(String email) {
        var bob = server.signUp(email, "Bob");
        var team = owner.inTeam("Team of " + email.split("@", -1)[0]);
        server.join(bob, team.projectId(), "Editor");
        LiveFlow.publish(
                new TestServer.SignedIn(bob.api(), bob.userId(), bob.platformId(), team.projectId()),
                FlowScript.webhook().returnJson("answer_1", "{'ok':true}"));
        owner.api()
                .post(
                        "/v1/alerts",
                        Json.object()
                                .put("projectId", team.projectId())
                                .put("channel", "EMAIL")
                                .put("receiver", email));
        server.execute("""
                insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)
                values ($1, now(), now(), $2, 'PENDING', 'PLATFORM', $3, 'MEMBER')
                """, Ids.next(), email, owner.platformId());
        return bob;
    }

    @Test
    void exportsWhatNamesAPerson_andNoSecret() {
        // Given
        var bob = bob("bob@example.com");

        // When
        var answer = owner.api().get(dataOf(bob));

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var data = answer.body();
        assertThat(data.at("/account/0/email").asText()).isEqualTo("bob@example.com");
        assertThat(data.at("/account/0/firstName").asText()).isEqualTo("Bob");
        assertThat(data.path("projectMemberships").toString()).contains("Editor");
        assertThat(data.path("flows")).hasSize(1);
        assertThat(data.path("flowVersions")).isNotEmpty();
        assertThat(data.at("/alerts/0/receiver").asText()).isEqualTo("bob@example.com");
        assertThat(data.at("/invitations/0/status").asText()).isEqualTo("PENDING");
        assertThat(data.path("auditEvents").toString()).contains("user.signed.up", "flow.published");
        assertThat(data.toString())
                .doesNotContain("ada@example.com")
                .doesNotContain(server.text("select password_hash from user_identity where email = 'bob@example.com'"));
    }

    @Test
    void erasesWhatNamesAPerson_andKeepsTheirWork() {
        // Given
        var carl = bob("carl@example.com");
        var flows = server.count("select count(*) from flow where owner_id = $1", carl.userId());

        // When
        var answer = owner.api().delete(dataOf(carl));

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().at("/erased/flows").asLong()).isEqualTo(flows).isPositive();
        assertThat(answer.body().at("/erased/alerts").asInt()).isEqualTo(2);
        assertThat(answer.body().at("/kept/auditEvents").asInt()).isPositive();
        assertThat(answer.body().at("/kept/auditEventsUntil").asText()).startsWith("20");
        assertThat(rowsNaming("carl@example.com")).isZero();
        assertThat(server.count("select count(*) from flow_version where updated_by = $1", carl.userId()))
                .isZero();
        assertThat(owner.api().get("/v1/users/" + carl.userId()).status()).isEqualTo(404);
        assertThat(carl.api().get("/v1/users/me").status()).isEqualTo(403);
        assertThat(owner.api().get("/v1/audit-events/verification").text("/intact"))
                .isEqualTo("true");
        assertThat(owner.api().delete(dataOf(carl)).status()).isEqualTo(404);
    }

    @Test
    void isForAdministratorsOnly_andSparesTheOwner() {
        // Given
        var dora = bob("dora@example.com");
        var before = rowsNaming("dora@example.com");

        // When, Then
        assertThat(dora.api().get(dataOf(dora)).status()).isEqualTo(403);
        assertThat(dora.api().delete(dataOf(dora)).status()).isEqualTo(403);
        assertThat(server.foreigner().api().get(dataOf(dora)).status()).isEqualTo(404);
        assertThat(server.foreigner().api().delete(dataOf(dora)).status()).isEqualTo(404);
        server.give(dora, PlatformRole.ADMIN);
        assertThat(dora.api().delete(dataOf(owner)).status()).isEqualTo(409);
        assertThat(dora.api().get("/v1/users/" + Ids.next() + "/data").status()).isEqualTo(404);
        assertThat(rowsNaming("dora@example.com")).isEqualTo(before).isPositive();
        assertThat(rowsNaming("ada@example.com")).isPositive();
    }
}
