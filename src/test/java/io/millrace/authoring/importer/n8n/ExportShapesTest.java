package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes of exports: wrappers, nodes without input, outputs beyond the rules of Switch, parts of agents. */
class ExportShapesTest {
    private static final String NODES = """
            [{"name":"Start","type":"n8n-nodes-base.manualTrigger","typeVersion":1,"parameters":{}}]""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"workflow\":{\"name\":\"W\",\"nodes\":NODES}}",
                "{\"data\":{\"name\":\"W\",\"nodes\":NODES}}",
                "{\"workflow\":{\"id\":1,\"name\":\"W\",\"workflow\":{\"nodes\":NODES,\"connections\":{}}}}",
                "{\"name\":\"W\",\"workflow\":{\"nodes\":NODES}}",
                "{\"name\":\"W\",\"nodes\":NODES,\"workflow\":{\"nodes\":[]}}"
            })
    void readsAWorkflowInItsWrapper(String text) {
        var translated = translate(text.replace("NODES", NODES));

        assertThat(translated.name()).isEqualTo("W");
        assertThat(translated.problems()).isEmpty();
        assertThat(translated.flows()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "7",
                "null",
                "{\"workflow\":7}",
                "{\"data\":{\"data\":{\"data\":{\"data\":{\"nodes\":[]}}}}}"
            })
    void namesWhatHasNoNodes(String text) {
        assertThat(translate(text).problems()).containsExactly("expected a list of nodes, found none");
    }

    @Test
    void givesANodeWithoutInputAnItemWithoutFields() {
        var flow = translate("""
                {"nodes":[{"name":"Alone","type":"n8n-nodes-base.httpRequest","typeVersion":4.2,
                 "parameters":{"url":"=https://a.example/{{ $json.id }}"}}]}""").flows().getFirst();

        var entry = flow.entries().getFirst();
        assertThat(entry.expressions(Fidelity.EXACT)).isOne();
        assertThat(entry.expressions(Fidelity.BY_HAND)).isZero();
    }

    @Test
    void keepsTheFallbackOutputOfSwitch_behindFreeOutputs() {
        var flow = translate("""
                {"nodes":[{"name":"Start","type":"n8n-nodes-base.manualTrigger","parameters":{}},
                 {"name":"Switch","type":"n8n-nodes-base.switch","typeVersion":1,"parameters":{"dataType":"string","value1":"={{ $json.a }}",
                  "rules":{"rules":[{"value2":"x"}]},"fallbackOutput":3}},
                 {"name":"Rule","type":"n8n-nodes-base.noOp","parameters":{}},
                 {"name":"Other","type":"n8n-nodes-base.stopAndError","parameters":{"errorMessage":"other"}}],
                 "connections":{"Start":{"main":[[{"node":"Switch","index":0}]]},
                 "Switch":{"main":[[{"node":"Rule","index":0}],null,[],[{"node":"Other","index":0}]]}}}""").flows().getFirst();

        var router = flow.template().at("/trigger/nextAction");
        assertThat(router.at("/settings/branches/1/branchType").asText()).isEqualTo("FALLBACK");
        assertThat(router.at("/children/1").toString()).contains("other");
        assertThat(flow.entries()).allMatch(entry -> entry.result() != Fidelity.BY_HAND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000", "2147483647", "-7", "51", "1e300", "\"99999999999\"", "[]", "null"})
    void ignoresAFallbackOutput_thatCannotExist(String output) {
        var flow = translate(
                        "{\"nodes\":[{\"name\":\"Start\",\"type\":\"n8n-nodes-base.manualTrigger\",\"parameters\":{}},"
                                + "{\"name\":\"Switch\",\"type\":\"n8n-nodes-base.switch\",\"typeVersion\":1,\"parameters\":{\"value1\":1,"
                                + "\"rules\":{\"rules\":[{\"value2\":1}]},\"fallbackOutput\":" + output + "}}],"
                                + "\"connections\":{\"Start\":{\"main\":[[{\"node\":\"Switch\",\"index\":0}]]}}}")
                .flows()
                .getFirst();

        assertThat(flow.template().at("/trigger/nextAction/settings/branches")).hasSize(2);
    }

    @Test
    void makesToolServersToolsOfAnAgent_andNamesPartsOfKnowledgeBases() {
        var flow = translate("""
                {"nodes":[{"name":"Chat","type":"@n8n/n8n-nodes-langchain.chatTrigger","parameters":{}},
                 {"name":"Agent","type":"@n8n/n8n-nodes-langchain.agent","typeVersion":2,"parameters":{}},
                 {"name":"Tools","type":"@n8n/n8n-nodes-langchain.mcpClientTool","parameters":{"endpointUrl":"https://tools.example.com/mcp"}},
                 {"name":"Old","type":"@n8n/n8n-nodes-langchain.mcpClientTool","parameters":{"sseEndpoint":"https://old.example.com/sse"}},
                 {"name":"Computed","type":"@n8n/n8n-nodes-langchain.mcpClientTool","parameters":{"endpointUrl":"={{ $json.url }}"}},
                 {"name":"Think","type":"@n8n/n8n-nodes-langchain.toolThink","parameters":{}}],
                 "connections":{"Chat":{"main":[[{"node":"Agent","index":0}]]},
                 "Tools":{"ai_tool":[[{"node":"Agent","index":0}]]},"Old":{"ai_tool":[[{"node":"Agent","index":0}]]},
                 "Computed":{"ai_tool":[[{"node":"Agent","index":0}]]},"Think":{"ai_tool":[[{"node":"Agent","index":0}]]}}}""").flows().getFirst();

        var tools = flow.template().at("/trigger/nextAction/settings/input/agentTools");
        assertThat(tools.findValuesAsText("serverUrl"))
                .as(flow.template() + " " + flow.report())
                .containsExactly("https://tools.example.com/mcp", "https://old.example.com/sse");
        assertThat(tools.findValuesAsText("protocol")).containsExactly("streamable-http", "sse");
        assertThat(flow.entries().stream()
                        .filter(entry -> entry.result() == Fidelity.BY_HAND)
                        .map(entry -> entry.node().name()))
                .containsExactly("Computed");
    }

    private static WorkflowImport translate(String text) {
        return ImportSamples.translate(read(text));
    }

    private static JsonNode read(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(text, malformed);
        }
    }
}
