package io.millrace.piece.openapi;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.piece.ToolSettings;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Operations of an imported API as tools of an agent. */
final class OpenApiAgentToolsIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static EchoServer echo = new EchoServer();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @Test
    void areCalledWithTheConnectionOfTheAuthor_andTheArgumentsOfTheModel() {
        // Given
        model.serve(ada);
        var bench = new OpenApiBench(ada, echo);
        var name = bench.added("01-pets-30.yaml", "agent-shop");
        bench.connect("shop", name, "SECRET_TEXT", Json.object().put("secret_text", "key-12345"));
        var tool = ToolSettings.choosing(
                ToolSettings.piece("add_pet", name, "1.0.0", "addPet"), "status", TextNode.valueOf("sold"));
        tool.withObject("/pieceMetadata/predefinedInput").put("auth", "{{connections['shop']}}");
        var agents = new AgentCaller(ada);
        var order = agents.order("Add the pet Rex.");
        order.putArray("tools").add(tool);
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(),
                        "{'name':'Rex','photoUrls':['a'],'category':{'id':1},'status':'free'}")
                : ModelServer.text("Added."));

        // When
        var run = agents.run(order);

        // Then
        assertThat(run.at("/result/status").asText()).as(run.toString()).isEqualTo("COMPLETED");
        assertThat(run.at("/result/steps/0/status").asText()).as(run.toString()).isEqualTo("completed");
        assertThat(echo.last().path("uri").asText()).isEqualTo("/pets");
        assertThat(echo.last().at("/headers/x-api-key").asText()).isEqualTo("key-12345");
        assertThat(json(echo.last().path("body").asText()))
                .isEqualTo(json("{'name':'Rex','status':'sold','photoUrls':['a'],'category':{'id':1}}"));
        var offered = model.questions.getFirst().at("/tools/0/function");
        assertThat(offered.path("name").asText()).startsWith("agent-shop-addpet");
        assertThat(offered.at("/parameters/properties").properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("name", "photoUrls", "category");
        assertThat(offered.at("/parameters/required").toString()).isEqualTo("[\"name\"]");
    }
}
