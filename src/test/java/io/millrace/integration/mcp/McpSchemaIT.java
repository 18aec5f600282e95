package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.StrictClients;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Names and schemas of our tools, checked as by the strictest clients: one violation would cost a user all tools of the
 * server.
 */
final class McpSchemaIT {
    private static final String MCP = "@activepieces/piece-mcp";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");
    private static McpClient client = McpClient.ofProject(server, mill);

    private static void publish(String toolName) {
        var reply = Json.object().put("mode", "advanced");
        reply.putObject("response")
                .putObject("response")
                .put("text", "{{trigger['output']['E Mail']}} {{trigger['output']['E_Mail']}}");
        LiveFlow.publish(
                mill,
                FlowScript.trigger(MCP, "0.1.0", "mcp_tool", """
                                {'toolName':'%s','toolDescription':'Sends','returnsResponse':true,'inputSchema':[
                                  {'name':'E Mail','type':'Text','required':true},
                                  {'name':'E_Mail','type':'Text','required':false},
                                  {'name':'%s','type':'Object','required':false},
                                  {'name':'Liste','type':'Array','required':false}]}
                                """.formatted(toolName, "ü".repeat(70)))
                        .piece("reply", MCP, "0.1.0", "reply_to_mcp_client", reply));
    }

    private static List<JsonNode> tools() {
        return client.ask("tools/list", Json.object())
                .body()
                .at("/result/tools")
                .valueStream()
                .toList();
    }

    @Test
    void areAcceptedByTheStrictestClients_forAnyToolName() {
        publish("Send a letter ".repeat(8));
        publish("Send a letter ".repeat(8));

        var tools = tools();

        assertThat(tools).hasSizeGreaterThan(20);
        assertThat(tools.stream()
                        .flatMap(tool ->
                                StrictClients.objections(tool.path("name").asText(), tool.path("inputSchema"))
                                        .stream()))
                .isEmpty();
        assertThat(tools.stream().map(tool -> tool.path("name").asText())).doesNotHaveDuplicates();
    }

    @Test
    void areCalledByTheKeysThatAreSent_andReachTheFlowUnderItsOwn() {
        publish("Write");
        var tool = tools().stream()
                .filter(one -> one.path("name").asText().startsWith("write_"))
                .findFirst()
                .orElseThrow();
        assertThat(tool.at("/inputSchema/required/0").asText()).isEqualTo("E_Mail_2");

        var said = client.call(tool.path("name").asText(), (ObjectNode)
                FlowScript.json("{'E_Mail_2':'ada@example.com','E_Mail':'second'}"));

        assertThat(said).contains("ada@example.com second");
    }
}
