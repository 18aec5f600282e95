package io.millrace.integration.badge;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class BadgeIT extends OpenServer {
    private static Set<String> badges(SignedIn user) {
        var names = new TreeSet<String>();
        admin.api()
                .get("/v1/users/" + user.userId())
                .body()
                .path("badges")
                .forEach(badge -> names.add(badge.path("name").asText()));
        return names;
    }

    @Test
    void honoursTheOwnerOfFlowsOnce_andKeepsItWhenTheFlowIsGone() {
        // Given
        var bob = server.signUp("bob@example.com", "Bob");
        assertThat(badges(bob)).isEmpty();

        // When
        var flow = LiveFlow.publish(bob, webhook().returnJson("step_1", "{'a':1}"));

        // Then
        Waiting.until("two badges", () -> badges(bob).equals(Set.of("first-build", "webhook-wizard")));
        assertThat(badges(admin)).isEmpty();

        // When
        flow.callAndWait(Json.object());
        flow.ended(1);

        // Then
        assertThat(badges(bob)).containsExactly("first-build", "victory", "webhook-wizard");
        var first = server.text(
                "select created::text from user_badge where user_id = $1 and name = 'victory'", bob.userId());
        flow.callAndWait(Json.object());
        flow.ended(2);
        assertThat(badges(bob)).hasSize(3);
        assertThat(server.text(
                        "select created::text from user_badge where user_id = $1 and name = 'victory'", bob.userId()))
                .isEqualTo(first);

        // When
        bob.api().delete("/v1/flows/" + flow.id());

        // Then
        assertThat(badges(bob)).hasSize(3);
    }

    @Test
    void honoursCode_failures_andManyFlows() {
        // Given
        var carol = server.signUp("carol@example.com", "Carol");

        // When
        var code = "export const code = async () => { throw new Error('no'); };";
        var failing = LiveFlow.publish(carol, webhook().code("step_1", code));
        for (var count = 0; count < 4; count++) {
            LiveFlow.publish(carol, webhook().returnJson("step_1", "{'a':1}"));
        }
        failing.call(Json.object());
        failing.ended(1);

        // Then
        Waiting.until(
                "the badges of five flows and a failure",
                () -> badges(carol)
                        .equals(Set.of("back-again", "coding-chad", "first-build", "on-a-roll", "webhook-wizard")));
    }
}
