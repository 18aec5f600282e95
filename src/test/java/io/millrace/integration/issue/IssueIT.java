package io.millrace.integration.issue;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Issues: failures grouped by flow, step and cause. At most three issues per flow. */
class IssueIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_ISSUES_PER_FLOW_MAX", "3")
            .with("AP_ISSUE_ARCHIVE_DAYS", "2")
            .start();

    private static int number;

    private TestServer.SignedIn owner;

    @BeforeEach
    void signUp() {
        number++;
        owner = server.signUp("ada" + number + "@example.com", "Ada");
    }

    private static FlowScript throwing() {
        return webhook()
                .code(
                        "step_1",
                        "export const code = async (i) => { if (i.say) throw new Error(i.say); return 1; };",
                        "{'say':'{{trigger.output.body.say}}'}");
    }

    private void fail(LiveFlow flow, String message) {
        var run = flow.run(Json.object().put("say", message));
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        server.clock().advance(Duration.ofSeconds(1));
    }

    private List<JsonNode> issues(String more) {
        var answer = owner.api().get("/v1/issues?projectId=" + owner.projectId() + more);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().path("data").valueStream().toList();
    }

    private JsonNode set(String id, String status) {
        var answer = owner.api().post("/v1/issues/" + id, Json.object().put("status", status));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body();
    }

    @Test
    void groupsFailuresByStepAndShapeOfTheMessage() {
        // Given
        var flow = LiveFlow.publish(owner, throwing());
        fail(flow, "Order 1 is closed");
        fail(flow, "Order 22 is closed");
        fail(flow, "No such order");
        flow.run(json("{}"));

        // When
        var issues = issues("");

        // Then
        assertThat(issues).hasSize(2);
        assertThat(issues.get(0).path("message").asText()).isEqualTo("No such order");
        assertThat(issues.get(1).path("message").asText()).isEqualTo("Order 22 is closed");
        assertThat(issues.get(1).path("count").asInt()).isEqualTo(2);
        assertThat(issues.get(1).path("cause").asText()).isEqualTo("authorData");
        assertThat(issues.get(1).path("stepName").asText()).isEqualTo("step_1");
        assertThat(issues.get(1).path("flowDisplayName").asText()).isEqualTo("Mill");
    }

    @Test
    void hasNone_withoutFailures() {
        LiveFlow.publish(owner, throwing()).run(json("{}"));

        assertThat(issues("")).isEmpty();
        assertThat(server.count("select count(*) from run_failure")).isZero();
    }

    @Test
    void filtersAndPages() {
        // Given
        var first = LiveFlow.publish(owner, throwing());
        var second = LiveFlow.publish(owner, throwing());
        fail(first, "one");
        var between = server.clock().instant().minusMillis(500);
        fail(first, "two");
        fail(second, "three");

        // Then
        assertThat(issues("&flowId=" + second.id())).hasSize(1);
        assertThat(issues("&status=RESOLVED")).isEmpty();
        assertThat(issues("&status=UNRESOLVED&status=RESOLVED")).hasSize(3);
        assertThat(issues("&lastOccurrenceAfter=" + between)).hasSize(2);
        assertThat(issues("&lastOccurrenceBefore=" + between)).hasSize(1);
        var page = owner.api().get("/v1/issues?limit=2&projectId=" + owner.projectId());
        assertThat(page.body().path("data")).hasSize(2);
        assertThat(issues("&limit=2&cursor=" + page.text("/next"))).hasSize(1);
    }

    @Test
    void reopensAResolvedIssue_whenItFailsAgain() {
        // Given
        var flow = LiveFlow.publish(owner, throwing());
        fail(flow, "one");
        var id = issues("").getFirst().path("id").asText();

        // When
        assertThat(set(id, "RESOLVED").path("status").asText()).isEqualTo("RESOLVED");

        // Then
        assertThat(issues("&status=UNRESOLVED")).isEmpty();
        server.clock().advance(Duration.ofSeconds(1));
        fail(flow, "one");
        assertThat(issues("&status=UNRESOLVED").getFirst().path("count").asInt())
                .isEqualTo(2);
        assertThat(server.text(
                        "select body from audit_event where action = 'issue.updated' and project_id = $1",
                        owner.projectId()))
                .contains(id, "RESOLVED");
    }

    @Test
    void countsFurtherCausesTogether() {
        var flow = LiveFlow.publish(owner, throwing());
        for (var cause : List.of("alpha", "beta", "gamma", "delta", "epsilon")) {
            fail(flow, cause);
        }

        var issues = issues("");

        assertThat(issues).hasSize(4);
        assertThat(issues.getFirst().path("count").asInt()).isEqualTo(2);
        assertThat(issues.getFirst().has("stepName")).isFalse();
    }

    @Test
    void refusesReadersOfOtherProjects_andUnknownIds() {
        var flow = LiveFlow.publish(owner, throwing());
        fail(flow, "one");
        var id = issues("").getFirst().path("id").asText();
        var other = server.signUp("eve" + number + "@example.com", "Eve");

        assertThat(other.api().get("/v1/issues?projectId=" + owner.projectId()).status())
                .isEqualTo(403);
        assertThat(other.api().get("/v1/issues/" + id).status()).isEqualTo(403);
        assertThat(other.api()
                        .post("/v1/issues/" + id, Json.object().put("status", "RESOLVED"))
                        .status())
                .isEqualTo(403);
        assertThat(owner.api().get("/v1/issues/" + Ids.next()).status()).isEqualTo(404);
        assertThat(owner.api()
                        .post("/v1/issues/" + id, Json.object().put("status", "GONE"))
                        .status())
                .isEqualTo(400);
        assertThat(issues("").getFirst().path("status").asText()).isEqualTo("UNRESOLVED");
    }

    @Test
    void forgetsTheIssuesOfADeletedFlow() {
        var flow = LiveFlow.publish(owner, throwing());
        fail(flow, "one");
        assertThat(issues("")).hasSize(1);

        assertThat(owner.api().delete("/v1/flows/" + flow.id()).status()).isLessThan(300);

        Waiting.until("the flow is deleted", () -> issues("").isEmpty());
    }
}
