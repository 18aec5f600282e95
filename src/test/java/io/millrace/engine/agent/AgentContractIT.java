package io.millrace.engine.agent;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every route of agents, models and knowledge bases with each member of its responses (contract agents 1 to 4, 7). */
class AgentContractIT {
    private static final String AGENTS = "/v1/agents";
    private static final String PROVIDERS = "/v1/ai-providers";
    private static final String FILES = "/v1/knowledge-base/files";

    private static final String HEAD = """
            id:id created:time updated:time projectId:id ownerId:id externalId:id displayName:text description:text|null
            icon:text color:text visibility:text sharedWithUserIds:array
            """;
    private static final RecordShape AGENT = new RecordShape(HEAD + " draft:object published:object|null");
    private static final RecordShape SUMMARY = new RecordShape(HEAD + """
            isPublished:flag toolCount:integer toolPieceNames:array toolTypes:array projectDisplayName:text
            projectIsPrivate:flag
            """);
    private static final RecordShape CONFIG = new RecordShape("""
            instructions:text provider:text|null providerConfigId:text|null modelName:text|null maxSteps:integer tools:array
            structuredOutput:array
            """);
    private static final String LISTED_RUN = """
            id:id created:time updated:time platformId:id projectId:id agentId:id|null flowRunId:id|null
            aiCredits:number|null title:text|null modelName:text|null status:text flow:object|null
            """;
    private static final RecordShape RUN = new RecordShape(LISTED_RUN + """
            userId:id source:text activeRunId:id|null uiMessages:array summary:text|null summarizedUpToIndex:integer|null
            result:object
            """);
    private static final RecordShape PROVIDER = new RecordShape("""
            id:id name:text provider:text config:object enabledForChat:flag modelScope:text modelIds:array keys?:array
            """);
    private static final RecordShape FILE = new RecordShape("""
            id:id created:time updated:time projectId:id fileId:id displayName:text status:text statusReason?:text
            """);

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada =
            server.signUp("ada@example.com", "Ada").inTeam("Mill");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    private static JsonNode expect(int status, Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        return answer.body();
    }

    private static JsonNode get(String path) {
        return expect(200, ada.api().get(path));
    }

    private static JsonNode post(String path, JsonNode body) {
        return expect(200, ada.api().post(path, body));
    }

    /** The first item of the only page. */
    private static JsonNode first(JsonNode page) {
        new RecordShape("data:array next:text|null previous:text|null").check(page);
        return page.at("/data/0");
    }

    private static String project() {
        return "projectId=" + ada.projectId();
    }

    private static ObjectNode request() {
        var request = Json.object()
                .put("projectId", ada.projectId())
                .put("displayName", "Adder")
                .put("description", "Adds.")
                .put("icon", "bot")
                .put("color", "BLUE");
        request.putObject("draft")
                .put("instructions", "You add.")
                .putArray("tools")
                .add(adder());
        return request;
    }

    private static ObjectNode adder() {
        var tool = Json.object().put("type", "PIECE").put("toolName", "add");
        tool.putObject("pieceMetadata")
                .put("pieceName", "@activepieces/piece-math-helper")
                .put("pieceVersion", "0.0.24")
                .put("actionName", "addition_math");
        return tool;
    }

    @Test
    void savedAgents() {
        // when
        var agent = expect(201, ada.api().post(AGENTS, request()));
        var path = AGENTS + "/" + agent.path("id").asText();

        // then
        AGENT.check(agent);
        CONFIG.check(agent.path("draft"));
        SUMMARY.check(first(get(AGENTS + "?search=adder&sort=name&limit=1&" + project())));
        SUMMARY.check(
                first(get(AGENTS + "?externalId=" + agent.path("externalId").asText())));
        AGENT.check(get(path));
        var used = get(path + "?includeUsage=true").path("publishedFlowsUsingAgent");
        new RecordShape("total:integer names:array").check(used);
        AGENT.check(post(path, Json.object().put("displayName", "Adder II").put("goLive", true)));
        var published = post(path + "/publish", Json.object());
        AGENT.check(published);
        CONFIG.check(published.path("published"));
        assertThat(post(path + "/unpublish", Json.object()).path("published").isNull())
                .isTrue();
        var other = expect(201, ada.api().post("/v1/projects", Json.object().put("displayName", "Other")));
        var moved = post(
                path + "/move",
                Json.object().put("targetProjectId", other.path("id").asText()));
        assertThat(moved.path("projectId")).isEqualTo(other.path("id"));
        assertThat(ada.api().delete(path).status()).isEqualTo(204);
        var gone = expect(404, ada.api().get(path));
        assertThat(gone.path("code").asText()).isEqualTo("ENTITY_NOT_FOUND");
        assertThat(gone.at("/params/entityType").asText()).isEqualTo("agent");
    }

    @Test
    void agentsToStartFrom() {
        // given
        model.otherwise(question -> ModelServer.calls(
                question.at("/tools/0/function/name").asText(), "{'displayName':'Adder','instructions':'Add.'}"));
        var shape = new RecordShape("""
                displayName:text description:text|null icon:text color:text instructions:text tools:array provider:text|null
                modelName:text|null
                """);

        // then
        first(get(AGENTS + "/templates"));
        shape.check(post(
                AGENTS + "/draft",
                Json.object().put("projectId", ada.projectId()).put("prompt", "Add numbers.")));
    }

    @Test
    void runsOfAgents() {
        // given
        var agent = expect(201, ada.api().post(AGENTS, request()));
        var id = agent.path("id").asText();
        post(AGENTS + "/" + id + "/publish", Json.object());
        var order = Json.object()
                .put("projectId", ada.projectId())
                .put("instruction", "Add.")
                .put("agentId", agent.path("externalId").asText());

        // when
        var started = post(AGENTS + "/runs", order);
        var conversations = AGENTS + "/conversations/runs";
        var runId = started.path("runId").asText();
        Waiting.until(
                "the agent has ended",
                () -> get(AGENTS + "/runs/" + runId).path("status").asText().equals("IDLE"));

        // then
        new RecordShape("conversationId:id runId:id").check(started);
        new RecordShape(LISTED_RUN).check(first(get(conversations + "?" + project() + "&agentId=" + id + "&limit=5")));
        var run = get(conversations + "/" + runId + "?" + project());
        RUN.check(run);
        RUN.check(get(AGENTS + "/runs/" + runId));
        new RecordShape("prompt:text steps:array status:text structuredOutput?:object failure?:text")
                .check(run.path("result"));
        new RecordShape("role:text parts:array thinkingDurationMs?:integer feedback?:object")
                .check(run.at("/uiMessages/0"));
        assertThat(run.at("/uiMessages/0/role").asText()).isEqualTo("user");
    }

    @Test
    void stepsShowWhatTheirAgentDoes_andWaitForItNoLongerThanItMayWork() {
        // given an agent in a loop, whose model is slow after the first turn
        var input = json(
                "{'prompt':'" + "Add. ".repeat(100) + "','aiProviderModel':{'provider':'custom','model':'mill-1'}}");
        ((ObjectNode) input).putArray("agentTools").add(adder());
        var body = steps().piece("step_2", "@activepieces/piece-ai", "0.1.12", "run_agent", input);
        var flow = LiveFlow.publish(ada, webhook().loop("step_1", "{{[1]}}", body));
        model.otherwise(question -> {
            model.holding();
            return ModelServer.calls(
                    question.at("/tools/0/function/name").asText(), "{'first_number':1,'second_number':2}");
        });

        // when
        assertThat(flow.call(Json.object()).status()).isEqualTo(200);
        Waiting.until("the model is asked again", () -> model.questions.size() == 2);
        var run = flow.run(flow.runs().getFirst().path("id").asText());

        // then
        var step = run.at("/steps/step_1/output/iterations/0/step_2");
        assertThat(run.path("status").asText()).isEqualTo("PAUSED");
        assertThat(step.path("status").asText()).isEqualTo("PAUSED");
        assertThat(step.at("/output/status").asText()).as(run.toString()).isEqualTo("IN_PROGRESS");
        assertThat(step.at("/output/prompt").asText()).isEqualTo("Add. ".repeat(100));
        assertThat(step.at("/output/steps/0/output").asInt()).isEqualTo(3);
        assertThat(step.at("/output/steps/0/status").asText()).isEqualTo("completed");
        var waits = "select count(*) from waitpoint where run_id = $1"
                + " and resume_at - created between interval '124 minutes' and interval '126 minutes'";
        assertThat(server.count(waits, run.path("id").asText())).isEqualTo(1);

        // when the time has passed
        server.execute(
                "update waitpoint set resume_at = now() where run_id = $1",
                run.path("id").asText());
        var ended = flow.ended(1);

        // then
        assertThat(ended.path("status").asText()).isEqualTo("FAILED");
        assertThat(ended.at("/steps/step_1/output/iterations/0/step_2/errorMessage")
                        .asText())
                .contains("PausedFlowTimeoutError");
        model.release();
    }

    @Test
    void providersOfModels() {
        // when
        var all = get(PROVIDERS);
        all.forEach(PROVIDER::check);
        var path = PROVIDERS + "/" + all.at("/0/id").asText();
        var models = get(PROVIDERS + "/custom/models");
        var selected = Json.object().put("displayName", "House models").put("modelScope", "selected");
        selected.putArray("modelIds").add("mill-2");
        var scoped = post(path, selected);
        var none = get(PROVIDERS + "/custom/models");
        var kept = post(path, Json.object().put("displayName", "House models"));
        var whole = post(path, Json.object().put("displayName", "House models").put("modelScope", "all"));
        var refused = ada.api().post(path, Json.object().put("displayName", "x").put("modelScope", "selected"));

        // then
        new RecordShape("id:id name:text").check(all.at("/0/keys/0"));
        new RecordShape("id:text name:text type:text").check(models.path(0));
        PROVIDER.check(scoped);
        assertThat(none).isEmpty();
        assertThat(kept.path("modelIds").path(0).asText()).isEqualTo("mill-2");
        assertThat(whole.path("modelScope").asText()).isEqualTo("all");
        assertThat(get(PROVIDERS + "/custom/models")).isEqualTo(models);
        assertThat(refused.text("/message")).startsWith("body/modelIds ");
        new RecordShape("id:text label:text").check(get(PROVIDERS + "/tiers").at("/flow/tiers/0"));
    }

    @Test
    void filesOfKnowledgeBases() {
        // when
        var text = "The mill opens on Mondays.".getBytes(StandardCharsets.UTF_8);
        var file = expect(
                201,
                ada.api()
                        .postForm(
                                FILES + "/upload?" + project(), Map.of("displayName", "Hours"), "file", "h.txt", text));
        var path = FILES + "/" + file.path("id").asText();
        var search = Json.object().put("projectId", ada.projectId()).put("limit", 1);
        search.putArray("knowledgeBaseFileIds").add(file.path("id"));
        var vector = search.putArray("queryEmbedding");
        for (var place = 0; place < 768; place++) {
            vector.add(place == 0 ? 1 : 0);
        }

        // then
        FILE.check(file);
        FILE.check(get(FILES + "?" + project()).path(0));
        new RecordShape("count:integer").check(get(path + "/chunks/count"));
        assertThat(get(path + "/chunks?embedded=true")).hasSize(1);
        assertThat(post(path + "/extract-chunks", Json.object()).at("/chunks/0").asText())
                .contains("Mondays");
        var chunk = Json.object().put("content", "Closed on Sundays.").put("chunkIndex", 1);
        chunk.set("embedding", vector);
        var chunks = Json.object();
        chunks.putArray("chunks").add(chunk);
        assertThat(post(path + "/store-chunks", chunks).path("success").asBoolean())
                .isTrue();
        new RecordShape("id:id content:text metadata:object|null chunkIndex:integer score:integer|number")
                .check(post(FILES + "/search", search).path(0));
        assertThat(ada.api().delete(path + "?" + project()).status()).isEqualTo(204);
        assertThat(ada.api().delete(path + "?" + project()).status()).isEqualTo(204);
    }
}
