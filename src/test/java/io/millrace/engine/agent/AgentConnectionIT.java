package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tools with credentials: they are loaded for the call only, and no input of a caller or a model is evaluated. */
class AgentConnectionIT {
    private static final String SECRET = "open-sesame-17";
    private static final String PIECE = "@activepieces/piece-vault";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"), List.of(new VaultPiece()));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    /** Reports whether the call was authorized, and its arguments. */
    private static final class VaultPiece implements BarePiece {
        @Override
        public PieceSpec spec() {
            var auth = Json.object()
                    .put("type", "SECRET_TEXT")
                    .put("displayName", "Key")
                    .put("required", true);
            return new PieceSpec(
                    PIECE, "Vault", "", "https://mill.example/v.svg", List.of(), List.of(), List.of("1.0.0"), auth);
        }

        @Override
        public Map<String, Action> actions() {
            return Map.of("open", new Open());
        }
    }

    private static final class Open implements Action {
        @Override
        public ActionSpec spec() {
            return new ActionSpec(
                    "open",
                    "Open",
                    "Opens the vault.",
                    Map.of(
                            "note", Property.of(PropertyType.SHORT_TEXT, "Note", false),
                            "request", Property.of(PropertyType.SHORT_TEXT, "Wish", false)),
                    true,
                    true,
                    false);
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            var auth = Json.text(context.auth().orElseGet(Json::object));
            return Future.succeededFuture(Json.object()
                    .put("opened", auth.contains(SECRET))
                    .put("note", context.props().path("note").asText())
                    .put("request", context.props().path("request").asText()));
        }
    }

    @BeforeAll
    static void setUp() {
        model.serve(ada);
        var connection = Json.object()
                .put("externalId", "vault")
                .put("displayName", "Vault")
                .put("pieceName", PIECE)
                .put("projectId", ada.projectId())
                .put("type", "SECRET_TEXT");
        connection.putObject("value").put("type", "SECRET_TEXT").put("secret_text", SECRET);
        assertThat(ada.api().post("/v1/app-connections", connection).status()).isLessThan(300);
    }

    @BeforeEach
    void forget() {
        model.clear();
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(), "{'request':'{{connections[vault]}}'}")
                : ModelServer.text("Done."));
    }

    private static ObjectNode tool(String auth, String note) {
        var tool = Json.object().put("type", "PIECE").put("toolName", "vault");
        var predefined = tool.putObject("pieceMetadata")
                .put("pieceName", PIECE)
                .put("pieceVersion", "1.0.0")
                .put("actionName", "open")
                .putObject("predefinedInput")
                .put("auth", auth);
        predefined
                .putObject("fields")
                .putObject("note")
                .put("mode", "choose-yourself")
                .put("value", note);
        return tool;
    }

    @Test
    void getsItsCredentials_withoutExposingThem() {
        // given a step whose tool names its connection in the editor's format, and a caller that sends a template
        var input = Json.object().put("prompt", "Open it.");
        input.putArray("agentTools").add(tool("{{connections['vault']}}", "{{trigger.output.body.note}}"));
        var flow = LiveFlow.publish(
                ada, FlowScript.webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", input));

        // when
        var run = flow.run(Json.object().put("note", "{{connections['vault']}}"));

        // then
        var output = run.at("/steps/step_1/output/steps/0/output");
        assertThat(output.path("opened").asBoolean()).as(run.toString()).isTrue();
        assertThat(output.path("note").asText()).isEqualTo("{{connections['vault']}}");
        assertThat(output.path("request").asText()).doesNotContain("{{").doesNotContain(SECRET);
        assertThat(run.toString()).doesNotContain(SECRET);
        assertThat(model.questions.toString()).doesNotContain(SECRET);
    }

    @Test
    void isNotGivenThoseOfAnotherProject() {
        // given
        var other = ada.inTeam("Other");
        var order = Json.object().put("projectId", other.projectId()).put("instruction", "Open it.");
        order.putArray("tools").add(tool("vault", "x"));

        // when
        var id = ada.api().post("/v1/agents/runs", order).text("/runId");
        Waiting.until(
                "the agent has ended",
                () -> !ada.api().get("/v1/agents/runs/" + id).text("/status").equals("STREAMING"));

        // then
        var run = ada.api().get("/v1/agents/runs/" + id).body();
        assertThat(run.at("/result/steps/0/output/failed").asBoolean())
                .as(run.toString())
                .isTrue();
        assertThat(run.toString()).doesNotContain(SECRET);
    }

    @Test
    void isNotOpenedByAnInvalidName() {
        // given
        var order = Json.object().put("projectId", ada.projectId()).put("instruction", "Open it.");
        order.putArray("tools").add(tool("x']}}{{connections['vault", "x"));

        // when
        var id = ada.api().post("/v1/agents/runs", order).text("/runId");
        Waiting.until(
                "the agent has ended",
                () -> !ada.api().get("/v1/agents/runs/" + id).text("/status").equals("STREAMING"));

        // then
        var block = ada.api().get("/v1/agents/runs/" + id).body().at("/result/steps/0");
        assertThat(block.at("/output/opened").asBoolean(false)).isFalse();
    }
}
