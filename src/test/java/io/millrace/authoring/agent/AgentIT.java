package io.millrace.authoring.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Agents of a project over HTTP: creation, sharing, publication and use by flows (contract agents 1). */
class AgentIT {
    private static final String ALL = "/v1/agents";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true", "AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada =
            server.signUp("ada@example.com", "Ada").inTeam("Mill");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    private static ObjectNode request(String name) {
        var request = Json.object()
                .put("projectId", ada.projectId())
                .put("displayName", name)
                .put("description", "Helps.")
                .put("icon", "bot")
                .put("color", "BLUE");
        request.putObject("draft").put("instructions", "You help.").put("maxSteps", 5);
        return request;
    }

    private static Answer made(ObjectNode request) {
        var answer = ada.api().post(ALL, request);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer;
    }

    @Test
    void keepsAnAgent_withWhatMayBeLeftOut() {
        // when
        var agent = made(request("Helper"));

        // then
        assertThat(agent.text("/externalId")).hasSize(21);
        assertThat(agent.text("/visibility")).isEqualTo("PROJECT");
        assertThat(agent.body().path("published").isNull()).isTrue();
        assertThat(agent.text("/draft/provider")).isEqualTo("custom");
        assertThat(agent.text("/draft/modelName")).isEqualTo("mill-1");
        assertThat(agent.body().at("/draft/tools").isEmpty()).isTrue();

        // and
        var found = ada.api().get(ALL + "?search=helper&projectId=" + ada.projectId());
        assertThat(found.text("/data/0/displayName")).isEqualTo("Helper");
        assertThat(found.body().at("/data/0").has("draft")).isFalse();
        assertThat(found.body().at("/data/0/isPublished").asBoolean()).isFalse();
        assertThat(ada.api().get(ALL + "/" + agent.text("/id")).body()).isEqualTo(agent.body());
    }

    @Test
    void takesTheExternalIdThatFlowsKnow_onceInAProject() {
        // given
        var known = "agentOfAnotherPlace01";
        var team = ada.inTeam("Known");

        // when
        var kept = made(request("Known").put("externalId", known));
        var again = ada.api().post(ALL, request("Twin").put("externalId", known));
        var elsewhere = made(request("Known").put("externalId", known).put("projectId", team.projectId()));
        var malformed = ada.api().post(ALL, request("Odd").put("externalId", "../x"));

        // then
        assertThat(kept.text("/externalId")).isEqualTo(known);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/params/message")).contains(known);
        assertThat(elsewhere.text("/externalId")).isEqualTo(known);
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.toString()).contains("externalId");
        assertThat(ada.api()
                        .get(ALL + "?projectId=" + ada.projectId() + "&externalId=" + known)
                        .body()
                        .path("data"))
                .hasSize(1);
    }

    @Test
    void movesToAProjectThatHasRoomForItsExternalIdAndPeople() {
        // given
        var other = ada.inTeam("Target of a move");
        var known = "agentThatMovesHouse01";
        var moving = made(request("Moving").put("externalId", known)).text("/id");
        made(request("Resident").put("externalId", known).put("projectId", other.projectId()));
        var mona = server.signUp("mona@example.com", "Mona");
        var free = made(request("Free").put("visibility", "RESTRICTED")).text("/id");
        server.execute("update agent set shared_with = array[$2] where id = $1", free, mona.userId());
        var target = Json.object().put("targetProjectId", other.projectId());

        // when
        var taken = ada.api().post(ALL + "/" + moving + "/move", target);
        var shared = ada.api().post(ALL + "/" + free + "/move", target);
        server.execute("update agent set shared_with = '{}' where id = $1", free);
        var moved = ada.api().post(ALL + "/" + free + "/move", target);

        // then
        assertThat(taken.status()).as(taken.toString()).isEqualTo(409);
        assertThat(taken.text("/params/message")).contains(known);
        assertThat(shared.status()).as(shared.toString()).isEqualTo(409);
        assertThat(shared.text("/params/message")).contains("people of its project");
        assertThat(moved.text("/projectId")).isEqualTo(other.projectId());
    }

    @Test
    void hidesTheSecretsOfTools_andKeepsThem() {
        // given
        var request = request("Caller");
        request.withObjectProperty("draft")
                .putArray("tools")
                .addObject()
                .put("type", "MCP")
                .put("toolName", "house")
                .put("serverUrl", "https://mcp.example.com")
                .put("protocol", "http")
                .putObject("auth")
                .put("type", "access_token")
                .put("accessToken", "open-sesame");

        // when
        var agent = made(request);
        var changes = Json.object().put("displayName", "Renamed").put("goLive", true);
        changes.set("draft", agent.body().path("draft"));
        var changed = ada.api().post(ALL + "/" + agent.text("/id"), changes);

        // then
        assertThat(agent.toString()).doesNotContain("open-sesame");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.text("/displayName")).isEqualTo("Renamed");
        assertThat(changed.body().at("/published/tools/0/auth"))
                .isEqualTo(Json.object().put("type", "access_token"));
        assertThat(changed.toString()).doesNotContain("open-sesame");
    }

    @Test
    void isRunByAFlow_onceItIsPublished_andThenStays() {
        // given
        var agent = made(request("Worker"));
        var id = agent.text("/id");
        var step = Json.object().put("prompt", "Work.").put("agentId", agent.text("/externalId"));
        var flow = LiveFlow.draft(
                ada, FlowScript.webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", step));
        var publish = FlowScript.json("{'type':'LOCK_AND_PUBLISH','request':{}}");
        model.clear();

        // when
        var early = flow.operate(publish);

        // then
        assertThat(early.status()).isEqualTo(409);
        assertThat(early.text("/code")).isEqualTo("VALIDATION");
        assertThat(early.text("/params/message")).contains("step_1").contains("not published");

        // when
        assertThat(ada.api().post(ALL + "/" + id + "/publish", Json.object()).status())
                .isEqualTo(200);
        flow.publish();
        var run = flow.run(Json.object());

        // then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(model.questions.getLast().at("/messages/0/content").asText()).isEqualTo("You help.");
        var runs = ada.api().get("/v1/agents/conversations/runs?projectId=" + ada.projectId() + "&agentId=" + id);
        assertThat(runs.body().path("data").size()).isEqualTo(1);
        assertThat(runs.text("/data/0/flow/displayName")).isEqualTo("Mill");
        assertThat(runs.text("/data/0/flow/flowId")).isEqualTo(flow.id());
        assertThat(ada.api()
                        .get("/v1/agents/conversations/runs/" + runs.text("/data/0/id") + "?projectId="
                                + ada.projectId())
                        .text("/source"))
                .isEqualTo("FLOW_STEP");
        assertThat(ada.api()
                        .get("/v1/agents/conversations/runs/" + runs.text("/data/0/id") + "?projectId="
                                + ada.inTeam("Else").projectId())
                        .status())
                .isEqualTo(404);
        assertThat(ada.api()
                        .get(ALL + "/" + id + "?includeUsage=true")
                        .body()
                        .at("/publishedFlowsUsingAgent/total")
                        .asInt())
                .isEqualTo(1);

        // when
        ada.api().post(ALL + "/" + id, Json.object().put("visibility", "RESTRICTED"));
        var hidden = flow.operate(publish);

        // then
        assertThat(hidden.text("/params/message")).contains("not visible to the whole project");

        // when
        var refused = ada.api().delete(ALL + "/" + id);

        // then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("Mill");
        assertThat(ada.api().post(ALL + "/" + id + "/unpublish", Json.object()).status())
                .isEqualTo(409);
    }

    @Test
    void refusesWhatIsWrong() {
        assertThat(ada.api().post(ALL, request("")).status()).isEqualTo(400);
        assertThat(ada.api().post(ALL, request("x").put("icon", "boat")).text("/message"))
                .contains("body/icon");
        var blank = request("Blank");
        blank.withObjectProperty("draft").put("instructions", " ");
        var id = made(blank).text("/id");
        assertThat(ada.api().post(ALL + "/" + id + "/publish", Json.object()).status())
                .isEqualTo(409);
        var tool = request("Tool");
        tool.withObjectProperty("draft")
                .putArray("tools")
                .addObject()
                .put("type", "BOAT")
                .put("toolName", "x");
        assertThat(ada.api().post(ALL, tool).text("/message")).contains("body/draft/tools/0/type");
        var onCredits = request("Credits");
        onCredits.withObjectProperty("draft").put("provider", "activepieces").put("modelName", "gpt-2");
        var refused = ada.api().post(ALL, onCredits);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("openai/gpt-5.5");
    }

    @Test
    void isSeenByThoseItIsSharedWith_andByNoStranger() {
        // given
        var bob = server.signUp("bob@example.com", "Bob");
        var id = made(request("Secret").put("visibility", "RESTRICTED")).text("/id");

        // then
        assertThat(bob.api().get(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(bob.api().get(ALL).body().path("data").isEmpty()).isTrue();
        assertThat(ada.api().get(ALL + "/" + id).status()).isEqualTo(200);

        // when
        var stranger = Json.object();
        stranger.putArray("sharedWithUserIds").add("nobody0000000000000000");
        var refused = ada.api().post(ALL + "/" + id, stranger);

        // then
        assertThat(refused.status()).isEqualTo(409);

        // when a member of the project asks who is not its administrator
        server.join(bob, ada.projectId(), "Editor");

        // then
        assertThat(bob.api().get(ALL + "/" + id).status()).isEqualTo(404);
        var shared = Json.object();
        shared.putArray("sharedWithUserIds").add(bob.userId());
        assertThat(ada.api().post(ALL + "/" + id, shared).status()).isEqualTo(200);
        assertThat(bob.api().get(ALL + "/" + id).status()).isEqualTo(200);
        assertThat(bob.api().get(ALL).body().path("data").size()).isEqualTo(1);
        assertThat(bob.api().delete(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(bob.api()
                        .post(ALL + "/" + id, Json.object().put("visibility", "PROJECT"))
                        .status())
                .isEqualTo(403);

        // when
        assertThat(ada.api().delete(ALL + "/" + id).status()).isEqualTo(204);

        // then
        assertThat(ada.api().get(ALL + "/" + id).status()).isEqualTo(404);
    }

    /** An operator of the platform is an editor in every team, and a member of none. */
    @Test
    void isListedForOperators_andSharedWithThem() {
        // given
        var olga = server.signUp("olga@example.com", "Olga");
        server.give(olga, PlatformRole.OPERATOR);
        var open = made(request("For everybody")).text("/id");
        var restricted =
                made(request("For some").put("visibility", "RESTRICTED")).text("/id");
        var list = ALL + "?search=for&projectId=" + ada.projectId();

        // when
        var first = olga.api().get(list);
        var shared = Json.object();
        shared.putArray("sharedWithUserIds").add(olga.userId());
        var answer = ada.api().post(ALL + "/" + restricted, shared);

        // then
        assertThat(first.body().path("data").size()).isEqualTo(1);
        assertThat(first.text("/data/0/id")).isEqualTo(open);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(olga.api().get(list + "&sort=name").body().path("data").size())
                .isEqualTo(2);
    }

    @Test
    void goesLive_onlyWhenItCan() {
        // given
        var blank = request("Draft only");
        blank.withObjectProperty("draft").put("instructions", "");
        var id = made(blank).text("/id");

        // when
        var kept = ada.api()
                .post(
                        ALL + "/" + id,
                        Json.object().put("displayName", "Still a draft").put("goLive", true));

        // then
        assertThat(kept.status()).isEqualTo(200);
        assertThat(kept.text("/displayName")).isEqualTo("Still a draft");
        assertThat(kept.body().path("published").isNull()).isTrue();
    }

    @Test
    void isListedByName_pageByPage_thereAndBack() {
        // given
        var team = ada.inTeam("Names");
        for (var name : new String[] {"delta", "Alpha", "charlie", "Bravo"}) {
            made(request(name).put("projectId", team.projectId()));
        }
        var list = ALL + "?sort=name&limit=2&projectId=" + team.projectId();

        // when
        var first = ada.api().get(list);
        var second = ada.api().get(list + "&cursor=" + first.text("/next"));
        var back = ada.api().get(list + "&cursor=" + second.text("/previous"));

        // then
        assertThat(names(first)).containsExactly("Alpha", "Bravo");
        assertThat(names(second)).containsExactly("charlie", "delta");
        assertThat(second.body().path("next").isNull()).isTrue();
        assertThat(names(back)).containsExactly("Alpha", "Bravo");
        assertThat(ada.api().get(ALL + "?limit=0").status()).isEqualTo(400);
        assertThat(ada.api().get(ALL + "?limit=101").status()).isEqualTo(400);
        assertThat(ada.api().get(ALL + "?search=" + "x".repeat(201)).status()).isEqualTo(400);
    }

    private static List<String> names(Answer page) {
        return page.body()
                .path("data")
                .valueStream()
                .map(agent -> agent.path("displayName").asText())
                .toList();
    }

    @Test
    void recordsChangesInTheAuditLog() {
        // given
        var request = request("Watched");
        request.withObjectProperty("draft")
                .putArray("tools")
                .addObject()
                .put("type", "FLOW")
                .put("toolName", "orders")
                .put("externalFlowId", "orders");

        // when
        var id = made(request).text("/id");
        ada.api().post(ALL + "/" + id, Json.object().put("displayName", "Watched well"));
        ada.api().post(ALL + "/" + id + "/publish", Json.object());
        ada.api().post(ALL + "/" + id + "/unpublish", Json.object());
        ada.api().delete(ALL + "/" + id);

        // then
        var events = ada.api()
                .get("/v1/audit-events?limit=100&projectId=" + ada.projectId())
                .body()
                .path("data")
                .valueStream()
                .filter(event -> event.at("/data/agent/id").asText().equals(id))
                .toList();
        assertThat(events)
                .extracting(event -> event.path("action").asText())
                .containsExactly(
                        "agent.deleted", "agent.unpublished", "agent.published", "agent.updated", "agent.created");
        assertThat(events.get(2).at("/data/agent/publishedDigest").asText()).matches("[0-9a-f]{16}");
        assertThat(events.get(2).at("/data/agent/publishedToolNames/0").asText())
                .isEqualTo("orders");
        assertThat(events.get(3).at("/data/agent/displayName").asText()).isEqualTo("Watched well");
    }

    @Test
    void offersAgentsToStartFrom_whichCanBeKept() {
        // when
        var templates = ada.api().get(ALL + "/templates");

        // then
        assertThat(templates.body().path("data").size()).isGreaterThanOrEqualTo(4);
        for (var template : templates.body().path("data")) {
            var request = Json.object().put("projectId", ada.projectId());
            for (var field : List.of("displayName", "description", "icon", "color")) {
                request.set(field, template.get(field));
            }
            request.putObject("draft").set("instructions", template.get("instructions"));
            made(request);
        }
    }
}
