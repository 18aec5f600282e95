package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Approvals that wait in a project, and decisions on them by its members (decision 0470). */
class ApprovalsIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static LiveFlow waiting(SignedIn owner) {
        var flow = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        flow.call(json("{}"));
        Waiting.until(
                "the run waits",
                () -> flow.runs().stream()
                        .anyMatch(run -> run.path("status").asText().equals("PAUSED")));
        return flow;
    }

    private static String runOf(LiveFlow flow) {
        return flow.runs().getFirst().path("id").asText();
    }

    private static List<JsonNode> approvals(SignedIn reader) {
        var answer = reader.api().get("/v1/approvals?projectId=" + reader.projectId());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().path("data").valueStream().toList();
    }

    private static Answer decides(SignedIn member, String runId, String decision) {
        var body = Json.object().put("decision", decision).put("comment", "Within the budget");
        return member.api().post("/v1/flow-runs/" + runId + "/decision", body);
    }

    @Test
    void listsAWaitingApproval_andRecordsWhoDecided() {
        // Given
        var team = ada.inTeam("Approved");
        var flow = waiting(team);
        var runId = runOf(flow);

        // When
        var listed = approvals(team);
        var decided = decides(team, runId, "APPROVED");

        // Then
        assertThat(listed).hasSize(1);
        assertThat(listed.getFirst().path("flowRunId").asText()).isEqualTo(runId);
        assertThat(listed.getFirst().path("stepDisplayName").asText()).isEqualTo("The step_2");
        assertThat(decided.status()).as(decided.toString()).isEqualTo(204);
        var output = flow.ended(1).at("/steps/step_2/output");
        assertThat(output.path("approved").asBoolean()).isTrue();
        assertThat(output.path("decidedBy").asText()).isEqualTo(team.userId());
        assertThat(output.path("comment").asText()).isEqualTo("Within the budget");
        assertThat(approvals(team)).isEmpty();
        assertThat(decides(team, runId, "DECLINED").status()).isEqualTo(409);
    }

    @Test
    void declines_andLetsNoOtherProjectDecide() {
        // Given
        var team = ada.inTeam("Declined");
        var flow = waiting(team);
        var stranger = server.foreigner();

        // When
        var foreign = decides(stranger, runOf(flow), "APPROVED");

        // Then
        assertThat(foreign.status()).isIn(403, 404);
        assertThat(approvals(team)).hasSize(1);
        assertThat(decides(team, runOf(flow), "MAYBE").status()).isEqualTo(400);
        assertThat(decides(team, runOf(flow), "DECLINED").status()).isEqualTo(204);
        assertThat(flow.ended(1).at("/steps/step_2/output/approved").asBoolean(true))
                .isFalse();
    }

    @Test
    void listsNoRunThatWaitsForSomethingElse() {
        // Given
        var team = ada.inTeam("Others");
        var flow = LiveFlow.publish(team, webhook().delay("step_1", 3_600));
        flow.call(json("{}"));
        Waiting.until(
                "the run waits",
                () -> flow.runs().stream()
                        .anyMatch(run -> run.path("status").asText().equals("PAUSED")));

        // Then
        assertThat(approvals(team)).isEmpty();
        assertThat(decides(team, runOf(flow), "APPROVED").status()).isEqualTo(409);
    }

    @Test
    void listsAnApproval_behindManyNewerRunsThatWaitForOtherCalls() {
        // Given
        var team = ada.inTeam("Crowded");
        var approval = waiting(team);
        var others = LiveFlow.publish(team, webhook().answerAndWait("step_1", "{}"));
        for (var i = 0; i < 250; i++) {
            others.call(json("{}"));
        }
        Waiting.until("the others wait", () -> {
            var live =
                    team.api().get("/v1/flow-runs?limit=1&status=RUNNING&status=QUEUED&projectId=" + team.projectId());
            return others.runs().size() == 100
                    && live.body().path("data").isEmpty()
                    && others.runs().getFirst().path("status").asText().equals("PAUSED");
        });

        // Then
        assertThat(approvals(team))
                .extracting(each -> each.path("flowRunId").asText())
                .containsExactly(runOf(approval));
    }

    @Test
    void listsEachApprovalOnOnePage_andCountsThem() {
        // Given
        var team = ada.inTeam("Paged");
        var flow = LiveFlow.publish(team, webhook().waitForApproval("step_1"));
        for (var i = 0; i < 5; i++) {
            flow.call(json("{}"));
        }
        var path = "/v1/approvals?limit=2&projectId=" + team.projectId();
        Waiting.until("the runs wait", () -> approvals(team).size() == 5);

        // When
        var listed = new ArrayList<String>();
        var sizes = new ArrayList<Integer>();
        for (var cursor = ""; cursor != null; ) {
            var page = team.api().get(path + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            sizes.add(page.body().path("data").size());
            page.body()
                    .path("data")
                    .forEach(each -> listed.add(each.path("flowRunId").asText()));
            cursor = page.body().path("next").textValue();
        }

        // Then
        assertThat(sizes).containsExactly(2, 2, 1);
        assertThat(listed)
                .containsExactlyElementsOf(approvals(team).stream()
                        .map(each -> each.path("flowRunId").asText())
                        .toList());
        assertThat(team.api()
                        .get("/v1/approvals/count?projectId=" + team.projectId())
                        .body()
                        .asInt())
                .isEqualTo(5);
        assertThat(team.api().get(path + "&cursor=none").status()).isEqualTo(400);
        assertThat(team.api()
                        .get("/v1/approvals?limit=51&projectId=" + team.projectId())
                        .status())
                .isEqualTo(400);
        assertThat(server.foreigner()
                        .api()
                        .get("/v1/approvals/count?projectId=" + team.projectId())
                        .status())
                .isIn(403, 404);
    }

    @Test
    void aCallOfALinkCannotClaimTheDecisionOfAMember() {
        // Given
        var team = ada.inTeam("Forged");
        var flow = waiting(team);
        var links = flow.runs().getFirst().path("id").asText();
        var run = team.api().get("/v1/flow-runs/" + links).body();
        var link = run.at("/steps/step_1/output/approvalLink").asText().replaceFirst("^.*?/api", "");

        // When
        server.anonymous()
                .post(link, Json.object().set("decision", Json.object().put("decidedBy", team.userId())));

        // Then
        var output = flow.ended(1).at("/steps/step_2/output");
        assertThat(output.path("approved").asBoolean()).isTrue();
        assertThat(output.has("decidedBy")).isFalse();
    }
}
