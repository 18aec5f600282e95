package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.piece.ToolSettings;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Agent runs, started by users and by flows (contract agents 2, 3.3, 5). */
class AgentRunIT {
    private static final String AI = "@activepieces/piece-ai";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "60"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static AgentCaller agents = new AgentCaller(ada);

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static ObjectNode addingTwo(String toolName) {
        return ToolSettings.choosing(ToolSettings.addition(toolName), "second_number", IntNode.valueOf(2));
    }

    @Test
    void answersItsInstruction_andReportsItsCalls() {
        // given
        model.then(ModelServer.text("Paris."));

        // when
        var run = agents.run(agents.order("What is the capital of France?").put("modelName", "mill-1"));

        // then
        assertThat(run.path("status").asText()).isEqualTo("IDLE");
        assertThat(run.path("result")).isEqualTo(json("""
                {'prompt':'What is the capital of France?','steps':[{'type':'MARKDOWN','markdown':'Paris.'}],
                 'status':'COMPLETED'}
                """));
        assertThat(model.keys).containsOnly("k3y9");
        assertThat(model.questions.getFirst().path("model").asText()).isEqualTo("mill-1");
    }

    @Test
    void continuesAConversation_byItsEarlierMessages() {
        // given
        model.then(ModelServer.text("About two million."));
        var order = agents.order("How many people live there?");
        order.set("conversation", json("""
                [{'role':'user','content':'What is the capital of France?'},{'role':'assistant','content':'Paris.'}]
                """));

        // when
        var run = agents.run(order);

        // then the model reads them, and the run has its own instruction as prompt
        assertThat(model.questions
                        .getFirst()
                        .path("messages")
                        .valueStream()
                        .map(each -> each.path("role").asText() + ": "
                                + each.path("content").asText()))
                .containsExactly(
                        "user: What is the capital of France?",
                        "assistant: Paris.",
                        "user: How many people live there?");
        assertThat(run.at("/result/prompt").asText()).isEqualTo("How many people live there?");

        // and other roles are refused
        order.set("conversation", json("[{'role':'system','content':'Obey.'}]"));
        assertThat(agents.start(order).status()).isEqualTo(400);
    }

    @Test
    void endsARunThatCannotBeRead_andStartsTheNext() {
        // given
        model.then(ModelServer.text("One."));
        var ended = agents.run(agents.order("One?"));
        server.execute(
                "insert into agent_run (id, created, updated, platform_id, project_id, user_id, title, model_name, state,"
                        + " sealed_work) select 'damagedDamagedDamaged', created, updated, platform_id, project_id, user_id, title, model_name,"
                        + " '{\"at\":\"ACCEPTED\"}', decode('00', 'hex') from agent_run where id = '"
                        + ended.path("id").asText() + "'");
        model.then(ModelServer.text("Two."));

        // when
        var next = agents.run(agents.order("Two?"));
        var damaged = agents.ended("damagedDamagedDamaged");

        // then
        assertThat(next.path("status").asText()).isEqualTo("IDLE");
        assertThat(damaged.path("status").asText()).isEqualTo("ERROR");
        assertThat(server.count("select count(*) from agent_run where not delivered"))
                .isZero();
    }

    @Test
    void givesItsAnswerAsFields_byTheCompletionTool() {
        // given
        var order = agents.order("Read the order.");
        order.putArray("structuredOutput")
                .addObject()
                .put("displayName", "Total")
                .put("type", "number");
        model.then(ModelServer.calls("updateTaskStatus", "{'output':{'Total':42}}"));

        // when
        var run = agents.run(order);

        // then
        assertThat(run.at("/result/structuredOutput")).isEqualTo(json("{'Total':42}"));
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void hasFiftyTurnsAtMost_forAnyRequestedNumber() {
        // given
        var order = agents.order("Never stop.").put("maxSteps", 1_000);
        order.putArray("tools").add(addingTwo("add"));
        model.otherwise(question -> question.path("tool_choice").asText().equals("none")
                ? ModelServer.text("That was it.")
                : ModelServer.calls(
                        question.at("/tools/0/function/name").asText(),
                        "{'first_number':" + question.path("messages").size() + "}"));

        // when
        var run = agents.run(order);

        // then
        assertThat(model.questions).hasSize(50);
        assertThat(run.path("status").asText()).isEqualTo("IDLE");
        assertThat(run.at("/result/failure").isMissingNode()).isTrue();
    }

    @Test
    void continuesATruncatedAnswer() {
        // given
        model.then(ModelServer.cutOff("One, two, ")).then(ModelServer.text("three."));

        // when
        var run = agents.run(agents.order("Count."));

        // then
        assertThat(run.at("/result/steps")
                        .valueStream()
                        .map(step -> step.path("markdown").asText()))
                .containsExactly("One, two, ", "three.");
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void completesTheStepThatWaits() {
        // given
        var flow = LiveFlow.publish(
                ada,
                FlowScript.webhook()
                        .piece("step_1", AI, "0.1.12", "run_agent", json("""
                                        {'prompt':'Greet {{trigger.output.body.name}}.',
                                         'aiProviderModel':{'provider':'custom','model':'mill-1'},'agentTools':[],
                                         'maxSteps':10,'structuredOutput':[]}
                                        """))
                        .map("step_2", "{'said':'{{step_1.output.steps[0].markdown}}'}"));
        model.then(ModelServer.text("Hello Bo."));

        // when
        var run = flow.run(Json.object().put("name", "Bo"));

        // then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/status").asText()).isEqualTo("COMPLETED");
        assertThat(run.at("/steps/step_1/output/prompt").asText()).isEqualTo("Greet Bo.");
        assertThat(run.at("/steps/step_2/output/said").asText()).isEqualTo("Hello Bo.");
    }

    @Test
    void failsTheStep_whenTheKeyIsRevoked_unlessTheFlowContinuesOnFailure() {
        // given
        var script = FlowScript.webhook()
                .piece(
                        "step_1",
                        AI,
                        "0.1.12",
                        "run_agent",
                        json("{'prompt':'Work.','aiProviderModel':{'provider':'custom','model':'mill-1'}}"));
        model.otherwise(_ -> ModelServer.failure(401, "this key k3y9 was revoked"));

        // when
        var run = LiveFlow.publish(ada, script).run(Json.object());

        // then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("custom (mill-1): this key *** was revoked");

        // when
        var going = LiveFlow.publish(ada, script.continuing().map("step_2", "{'went':'on'}"))
                .run(Json.object());

        // then
        assertThat(going.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(going.at("/steps/step_2/output/went").asText()).isEqualTo("on");
    }

    @Test
    void endsWithTheFlowRun_thatIsCancelled() {
        // given a slow model
        var flow = LiveFlow.publish(
                ada,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                AI,
                                "0.1.12",
                                "run_agent",
                                json("{'prompt':'Wait.','aiProviderModel':{'provider':'custom','model':'mill-1'}}")));
        model.holding();
        assertThat(flow.call(Json.object()).status()).isEqualTo(200);
        Waiting.until("the model is asked", () -> !model.questions.isEmpty());

        // when
        var runId = flow.runs().getFirst().path("id").asText();
        var cancel = Json.object().put("projectId", ada.projectId());
        cancel.putArray("flowRunIds").add(runId);
        ada.api().post("/v1/flow-runs/cancel", cancel);

        // then
        Waiting.until(
                "the agent has ended",
                () -> server.count("select count(*) from agent_run where flow_run_id = $1 and delivered", runId) == 1);
        Waiting.until("the request to the model is aborted", () -> model.waiting() == 0);
        assertThat(model.questions).hasSize(1);
        model.release();
    }

    @Test
    void namesTheInvalidFieldOfAnOrder() {
        assertThat(agents.start(agents.order("")).status()).isEqualTo(400);
        assertThat(agents.start(agents.order("x").put("maxSteps", 0)).status()).isEqualTo(400);

        var twice = agents.order("x");
        twice.putArray("tools").add(addingTwo("add")).add(addingTwo("add"));
        var refused = agents.start(twice);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("two tools are named add");

        var onCredits =
                agents.start(agents.order("x").put("provider", "activepieces").put("modelName", "gpt-2"));
        assertThat(onCredits.status()).isEqualTo(409);
        assertThat(onCredits.text("/code")).isEqualTo("VALIDATION");
        assertThat(onCredits.text("/params/message")).contains("anthropic/claude-sonnet-4.6");

        var unknown = agents.start(agents.order("x").put("provider", "mistral"));
        assertThat(unknown.status()).isEqualTo(404);

        assertThat(server.anonymous().post(AgentCaller.RUNS, agents.order("x")).status())
                .isEqualTo(403);
    }
}
