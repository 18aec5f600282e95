package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of HTTP tools of agents that are fixed, and those that the agent gives. */
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
}
