package io.millrace.authoring.importer.n8n;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fixed values of HTTP tools of agents, and values that the agent chooses. */
class AgentToolsTest {
    private static ObjectNode workflow(String method, String url) {
        var workflow = Json.object().put("name", "Agent");
        var nodes = workflow.putArray("nodes");
        nodes.addObject().put("name", "Start").put("type", "n8n-nodes-base.manualTrigger");
        nodes.addObject()
                .put("name", "Agent")
                .put("type", "@n8n/n8n-nodes-langchain.agent")
                .put("typeVersion", 2)
                .putObject("parameters")
                .put("text", "Hi");
        nodes.addObject()
                .put("name", "Call")
                .put("type", "n8n-nodes-base.httpRequestTool")
                .put("typeVersion", 4.2)
                .putObject("parameters")
                .put("method", method)
                .put("url", url);
        connect(workflow, "Start", "main", "Agent");
        connect(workflow, "Call", "ai_tool", "Agent");
        return workflow;
    }

    private static void connect(ObjectNode workflow, String from, String kind, String to) {
        workflow.withObjectProperty("connections")
                .putObject(from)
                .putArray(kind)
                .addArray()
                .addObject()
                .put("node", to)
                .put("type", kind)
                .put("index", 0);
    }

    private static JsonNode fields(ObjectNode workflow) {
        var template = ImportSamples.translate(workflow).flows().getFirst().template();
        return template.findValue("agentTools").at("/0/pieceMetadata/predefinedInput/fields");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            POST | https://api.example.com/orders                   | {"method":{"mode":"choose-yourself","value":"POST"},"url":{"mode":"choose-yourself","value":"https://api.example.com/orders"}}
            POST | ={{ $fromAI('url', 'address', 'string') }}       | {"method":{"mode":"choose-yourself","value":"POST"},"url":{"mode":"agent-decide"}}
            POST | =https://api.example.com/{{ $fromAI('id') }}     | {"method":{"mode":"choose-yourself","value":"POST"},"url":{"mode":"agent-decide"}}
            POST | https://api.example.com/{id}                     | {"method":{"mode":"choose-yourself","value":"POST"},"url":{"mode":"agent-decide"}}
            ={{ $fromAI('method') }} | https://api.example.com/     | {"method":{"mode":"agent-decide"},"url":{"mode":"choose-yourself","value":"https://api.example.com/"}}
            """)
    void keepsFixedValues_andLeavesOthersToTheAgent(String method, String url, String expected) {
        assertThat(Json.text(fields(workflow(method, url)))).isEqualTo(expected);
    }

    private static ObjectNode withTool(String type, String parameters) {
        var workflow = workflow("GET", "https://api.example.com");
        ((ObjectNode) workflow.at("/nodes/2"))
                .put("name", "Send it")
                .put("type", type)
                .set("parameters", json(parameters));
        workflow.withObjectProperty("connections").remove("Call");
        connect(workflow, "Send it", "ai_tool", "Agent");
        return workflow;
    }

    @Test
    void makesAFlowOfAToolWithArgumentsOfTheModel() {
        // given
        var workflow = withTool(
                "n8n-nodes-base.gmailTool",
                "{'sendTo':'={{ /*n8n-auto-generated-fromAI-override*/ $fromAI(`To`, `the address, or (more)`, `string`) }}','subject':'=Re: {{ $fromAI(`subject`) }}',"
                        + "'message':'={{ $json.sessionId }} {{ $fromAI(`text`) }}','options':{'limit':'={{ $fromAI(`limit`, ``, `number`, 5) + 1 }}'}}");

        // when
        var flows = ImportSamples.translate(workflow).flows();

        // then
        assertThat(flows).hasSize(2);
        var tool = flows.getLast();
        var trigger = tool.template().path("trigger");
        assertThat(trigger.at("/settings/triggerName").asText()).isEqualTo("mcp_tool");
        assertThat(trigger.at("/settings/input/toolName").asText()).isEqualTo("send_it");
        assertThat(trigger.at("/settings/input/inputSchema"))
                .isEqualTo(json("[{'name':'To','description':'the address, or (more)','type':'Text','required':true},"
                        + "{'name':'subject','description':'','type':'Text','required':true},"
                        + "{'name':'message','description':'Value of message, which was {{ $json.sessionId }} {{ $fromAI(`text`) }}','type':'Text','required':true},"
                        + "{'name':'limit','description':'','type':'Number','required':false}]"));
        assertThat(trigger.path("nextAction").toString())
                .contains("reply_to_mcp_client")
                .doesNotContain("$fromAI(");
        assertThat(tool.entries()).extracting(entry -> entry.node().name()).containsExactly("Send it");
        assertThat(flows.getFirst().template().findValue("agentTools"))
                .isEqualTo(json("[{'type':'FLOW','toolName':'send_it','externalFlowId':'" + tool.toolKey()
                        + "','flowDisplayName':'Send it'}]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "={{ $fromAI(",
                "={{ $fromAI('a }}",
                "={{ $fromAI(name) }}",
                "={{ $fromAI() }}",
                "={{ $fromAI('', 1) }}",
                "={{ $fromAI('a', [1, {b: ')'}], 'x' ) + $fromai(\"b\\\"c\") }}",
                "=$fromAI('a')"
            })
    void acceptsAnyCall(String expression) {
        var workflow = withTool("n8n-nodes-base.slackTool", "{}");
        ((ObjectNode) workflow.at("/nodes/2/parameters")).put("text", expression);

        var tool = ImportSamples.translate(workflow).flows().getLast();

        assertThat(tool.template().at("/trigger/settings/triggerName").asText()).isEqualTo("mcp_tool");
    }
}
