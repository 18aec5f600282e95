package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.outside.MailServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Requests for approval: approvers, quorum, personal links, reminders, escalation and deadline (decision 0470). */
class ApprovalRequestIT {
    @AutoClose
    private static MailServer mail = MailServer.start();

    @AutoClose
    private static TestServer server = settings().start();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static ServerSettings settings() {
        return ServerSettings.openSignUp()
                .with("AP_APPROVAL_APPROVERS_MAX", "3")
                .with("AP_APPROVAL_REMINDERS_MAX", "2")
                .with("AP_APPROVAL_DATA_MAX_KB", "1")
                .with(mail.settings());
    }

    private static LiveFlow waiting(SignedIn owner, String input) {
        var flow = LiveFlow.publish(owner, webhook().requestApproval("step_1", input));
        flow.call(json("{}"));
        Waiting.until(
                "the run waits",
                () -> flow.runs().stream()
                        .anyMatch(run -> run.path("status").asText().equals("PAUSED")));
        return flow;
    }

    private static List<JsonNode> approvals(SignedIn reader) {
        var answer = reader.api().get("/v1/approvals?projectId=" + reader.projectId());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().path("data").valueStream().toList();
    }

    private static Answer decides(SignedIn member, LiveFlow flow, String decision) {
        return member.api()
                .post(
                        "/v1/flow-runs/" + flow.newestId() + "/decision",
                        Json.object().put("decision", decision));
    }

    /** Path of the personal link in the newest mail to an address. */
    private static String linkOf(String address, int count) {
        return mail.awaitNth(address, count).link().replaceFirst("^.*?/api", "");
    }

    private static ObjectNode vote(String decision) {
        return Json.object().put("decision", decision);
    }

    private static JsonNode outputOf(LiveFlow flow) {
        return flow.ended(1).at("/steps/step_1/output");
    }

    @Test
    void twoOfThreeApprove_byConsoleAndByPersonalLink() {
        // Given
        var team = ada.inTeam("Two of three");
        var flow = waiting(
                team,
                "{'message':'Pay 500 EUR?','data':{'supplier':'Acme <b>','amount':500},"
                        + "'fields':[{'displayName':'Cost Center','type':'number','required':true}],"
                        + "'approvers':['Ada@example.com','bob@example.org','cy@example.org'],'approvalsNeeded':2}");
        var link = linkOf("bob@example.org", 1);

        // When
        var listed = approvals(team).getFirst();
        var page = server.anonymous().send("GET", link, Map.of("Accept", "text/html"), "");
        var incomplete = server.anonymous().post(link, vote("APPROVED"));
        var first = server.anonymous()
                .post(link, vote("APPROVED").put("field.costCenter", "42").put("comment", "Fine"));
        var repeated = server.anonymous()
                .post(link, vote("APPROVED").put("field.costCenter", "42").put("comment", "Fine"));
        var again = server.anonymous().post(link, vote("DECLINED"));
        var waits = approvals(team).getFirst();
        var refused = decides(team, flow, "APPROVED");
        var body = Json.object().put("decision", "APPROVED").put("comment", "Within the budget");
        body.putObject("answers").put("costCenter", 7);
        var second = team.api().post("/v1/flow-runs/" + flow.newestId() + "/decision", body);

        // Then
        assertThat(listed.at("/request/message").asText()).isEqualTo("Pay 500 EUR?");
        assertThat(listed.at("/request/canDecide").asBoolean()).isTrue();
        assertThat(listed.at("/request/approvers")).hasSize(3);
        assertThat(page.body().asText())
                .contains("Pay 500 EUR?", "Acme &lt;b&gt;", "bob@example.org", "name=\"field.costCenter\"", "0 of 2")
                .doesNotContain("<b>", "<script");
        assertThat(incomplete.status()).isEqualTo(400);
        assertThat(incomplete.body().asText()).contains("Cost Center: expected a value, found none");
        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(repeated.status()).as("the answer was lost").isEqualTo(200);
        assertThat(again.status()).isEqualTo(409);
        assertThat(waits.at("/request/decisions")).hasSize(1);
        assertThat(waits.at("/request/decisions/0/by").asText()).isEqualTo("bob@example.org");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(second.status()).as(second.toString()).isEqualTo(204);
        var output = outputOf(flow);
        assertThat(output.path("approved").asBoolean()).isTrue();
        assertThat(output.path("decidedBy").asText()).isEqualTo("ada@example.com");
        assertThat(output.at("/answers/costCenter").asInt()).isEqualTo(7);
        assertThat(output.at("/decisions/0/answers/costCenter").asInt()).isEqualTo(42);
        assertThat(output.at("/decisions/0/comment").asText()).isEqualTo("Fine");
        assertThat(output.at("/decisions/1/userId").asText()).isEqualTo(team.userId());
        assertThat(server.anonymous().send("GET", link, Map.of(), "").body().asText())
                .contains("has been decided already", "ask the sender of the link");
        var unknown = server.anonymous().send("GET", link + "x", Map.of("Accept", "text/html"), "");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body().asText()).contains("<h1>This link does not work</h1>", "Ask the sender");
        assertThat(server.anonymous()
                        .send("GET", link + "x", Map.of("Accept", "application/json"), "")
                        .text("/code"))
                .isEqualTo("ENTITY_NOT_FOUND");
        assertThat(server.anonymous().post(link, vote("APPROVED")).status()).isEqualTo(409);
    }

    @Test
    void countsDecisionsAtTheSameMoment_andResumesOnce() {
        // Given
        var team = ada.inTeam("Same moment");
        var flow = waiting(
                team,
                "{'message':'Go?','approvers':['d1@example.org','d2@example.org','d3@example.org'],"
                        + "'approvalsNeeded':2}");
        var links = Stream.of("d1@example.org", "d2@example.org", "d3@example.org")
                .map(address -> linkOf(address, 1))
                .toList();

        // When
        var answers = links.stream().map(link -> server.anonymous().postAsync(link, vote("APPROVED"))).toList().stream()
                .map(answer -> answer.join().status())
                .toList();

        // Then
        assertThat(answers).containsExactlyInAnyOrder(200, 200, 409);
        assertThat(outputOf(flow).path("decisions")).hasSize(2);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void declinesWhenAllHaveDecidedWithoutEnoughApprovals() {
        // Given
        var team = ada.inTeam("Divided");
        var flow = waiting(
                team,
                "{'message':'Go?','approvers':['e1@example.org','e2@example.org'],'approvalsNeeded':2,"
                        + "'declinesNeeded':2}");

        // When
        server.anonymous().post(linkOf("e1@example.org", 1), vote("APPROVED"));
        server.anonymous().post(linkOf("e2@example.org", 1), vote("DECLINED"));

        // Then
        assertThat(outputOf(flow).path("decision").asText()).isEqualTo("DECLINED");
    }

    @Test
    void letsOnlyApproversDecide() {
        // Given
        var team = ada.inTeam("Only approvers");
        var bob = server.signUp("bob-editor@example.com", "Bob");
        server.join(bob, team.projectId(), "Editor");
        var flow = waiting(team, "{'message':'Go?','role':'editor'}");
        var runId = flow.newestId();

        // When
        var refused = decides(team, flow, "APPROVED");
        var ownLink = linkOf("bob-editor@example.com", 1);
        var forged = ownLink.substring(0, ownLink.length() - 1) + (ownLink.endsWith("A") ? "B" : "A");
        var foreign = server.anonymous().post(forged, vote("APPROVED"));
        var waitpoint = server.text("select waitpoint_id from run where id = $1", runId);
        var call = server.anonymous()
                .post("/v1/flow-runs/" + runId + "/waitpoints/" + waitpoint + "?action=approve", json("{}"));

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.toString()).contains("members with the role editor can decide");
        assertThat(approvals(team).getFirst().at("/request/canDecide").asBoolean(true))
                .isFalse();
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(call.toString()).contains("used already or has expired");
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
        var editor = new SignedIn(bob.api(), bob.userId(), bob.platformId(), team.projectId());
        assertThat(approvals(editor).getFirst().at("/request/canDecide").asBoolean())
                .isTrue();
        assertThat(decides(editor, flow, "DECLINED").status()).isEqualTo(204);
        assertThat(outputOf(flow).path("approved").asBoolean(true)).isFalse();
    }

    @Test
    void listsAndCountsOnlyWhatTheCallerCanDecide() {
        // Given
        var team = ada.inTeam("Deciders");
        var joined = server.signUp("dora@example.com", "Dora");
        server.join(joined, team.projectId(), "Editor");
        var dora = new SignedIn(joined.api(), joined.userId(), joined.platformId(), team.projectId());
        var ofAll = waiting(team, "{'message':'All?'}");
        var ofDora = waiting(team, "{'message':'Dora?','approvers':['Dora@example.com']}");
        var ofEditors = waiting(team, "{'message':'Editors?','role':'EDITOR'}");
        var ofTwo = waiting(
                team, "{'message':'Two?','approvers':['ada@example.com','dora@example.com'],'approvalsNeeded':2}");

        // Then
        assertThat(decidable(team)).containsExactlyInAnyOrder(ofAll.newestId(), ofTwo.newestId());
        assertThat(decidable(dora))
                .containsExactlyInAnyOrder(ofAll.newestId(), ofDora.newestId(), ofEditors.newestId(), ofTwo.newestId());

        // When
        assertThat(decides(dora, ofTwo, "APPROVED").status()).isEqualTo(204);

        // Then
        assertThat(decidable(team)).contains(ofTwo.newestId());
        assertThat(decidable(dora)).doesNotContain(ofTwo.newestId()).hasSize(3);
    }

    /** Runs of {@code canDecide=true}, which agree with the field of all approvals and with the count. */
    private static List<String> decidable(SignedIn reader) {
        var path = "/v1/approvals?canDecide=true&projectId=" + reader.projectId();
        var listed = reader.api().get(path).body().path("data").valueStream().toList();
        var count = reader.api().get("/v1/approvals/count?projectId=" + reader.projectId());
        assertThat(count.body().asInt()).isEqualTo(listed.size());
        assertThat(listed)
                .containsExactlyElementsOf(approvals(reader).stream()
                        .filter(each -> each.at("/request/canDecide").asBoolean())
                        .toList());
        return listed.stream().map(each -> each.path("flowRunId").asText()).toList();
    }

    @Test
    void remindsAfterARestart_escalates_andStopsAtTheLimitOfReminders() {
        try (var first = settings().start()) {
            // Given
            var team = first.signUp("eve@example.com", "Eve");
            var flow = waiting(
                    team,
                    "{'message':'Go?','approvers':['slow@example.org'],'remindHours':1,'escalateHours':2.5,"
                            + "'escalateTo':['boss@example.org']}");
            mail.awaitFor("slow@example.org", 1);
            first.stopServer();

            // When
            try (var next = first.successor()) {
                next.clock().advance(Duration.ofMinutes(61));
                mail.awaitFor("slow@example.org", 2);
                next.clock().advance(Duration.ofMinutes(61));
                mail.awaitFor("slow@example.org", 3);
                assertThat(mail.takenFor("boss@example.org")).isEmpty();
                next.clock().advance(Duration.ofMinutes(61));

                // Then
                var escalated = mail.awaitNth("boss@example.org", 1);
                assertThat(mail.takenFor("slow@example.org").get(1).subject()).startsWith("Reminder: ");
                assertThat(next.count("select count(*) from approval_task where next_mail_at is not null"))
                        .isZero();
                var link = escalated.link().replaceFirst("^.*?/api", "");
                assertThat(next.anonymous().post(link, vote("APPROVED")).status())
                        .isEqualTo(200);
                assertThat(flow.at(next)
                                .ended(1)
                                .at("/steps/step_1/output/decidedBy")
                                .asText())
                        .isEqualTo("boss@example.org");
            }
        }
    }

    @Test
    void appliesTheChoiceForTheDeadline() {
        for (var choice : List.of("decline", "approve", "fail")) {
            // Given
            var team = ada.inTeam("Deadline " + choice);
            var flow = waiting(
                    team,
                    "{'message':'Go?','approvers':['late-" + choice + "@example.org','other-" + choice
                            + "@example.org'],'approvalsNeeded':2,'deadlineHours':2,'onDeadline':'" + choice + "'}");
            server.anonymous().post(linkOf("late-" + choice + "@example.org", 1), vote("APPROVED"));
            assertThat(approvals(team).getFirst().has("deadline")).isTrue();

            // When
            server.clock().advance(Duration.ofMinutes(121));
            var run = flow.ended(1);

            // Then
            if (choice.equals("fail")) {
                assertThat(run.path("status").asText()).isEqualTo("FAILED");
                assertThat(run.toString()).contains("The deadline passed with 1 decision");
            } else {
                var output = run.at("/steps/step_1/output");
                assertThat(output.path("decision").asText()).isEqualTo("NO_DECISION");
                assertThat(output.path("approved").asBoolean()).isEqualTo(choice.equals("approve"));
                assertThat(output.path("decisions")).hasSize(1);
            }
        }
    }

    @Test
    void refusesMoreThanTheLimits_andWorksAtThem() {
        // Given
        var team = ada.inTeam("Limits");
        var four =
                "{'message':'Go?','approvers':['a@x.org','b@x.org','c@x.org'],'escalateHours':1,'escalateTo':['d@x.org']}";
        var large = "{'message':'" + "x".repeat(1_100) + "'}";

        // When
        var tooMany = LiveFlow.publish(team, webhook().requestApproval("step_1", four));
        var tooLarge = LiveFlow.publish(team, webhook().requestApproval("step_1", large));

        // Then
        assertThat(tooMany.run(json("{}")).toString()).contains("AP_APPROVAL_APPROVERS_MAX");
        assertThat(tooLarge.run(json("{}")).toString()).contains("AP_APPROVAL_DATA_MAX_KB");
        waiting(team, "{'message':'" + "x".repeat(900) + "','approvers':['a@x.org','b@x.org','c@x.org']}");
        assertThat(approvals(team)).hasSize(1);
    }
}
