package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.TestServer;
import io.millrace.support.piece.ToolSettings;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run of an agent with two tools, with fake providers that each have their own dialect. */
final class VendorAgentIT {
    @AutoClose
    private static VendorServer vendors = new VendorServer();

    @AutoClose
    private static TestServer server = TestServer.startWithVendors(
            Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "60"), vendors::origin);

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static AgentCaller agents = new AgentCaller(ada);

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        Ollama     | custom     | {'baseUrl':'ORIGIN/v1','apiKeyHeader':'x-key','models':[{'modelId':'m-1','modelName':'M','modelType':'text'}]} | {'apiKey':'k3y9'}
        Gemini     | google     | {}                      | {'apiKey':'k3y9'}
        DeepSeek   | deepseek   | {}                      | {'apiKey':'k3y9'}
        OpenRouter | openrouter | {}                      | {'apiKey':'k3y9'}
        Anthropic  | anthropic  | {}                      | {'apiKey':'k3y9'}
        Bedrock    | bedrock    | {'region':'eu-west-1'}  | {'accessKeyId':'AKIAMILL','secretAccessKey':'s3cret'}
        Azure      | azure      | {'resourceName':'mill'} | {'apiKey':'k3y9'}
        """)
    void callsBothToolsAndAnswers(String dialect, String provider, String config, String auth) {
        // Given
        var request = Json.object().put("provider", provider).put("displayName", dialect);
        request.set("config", json(config.replace("ORIGIN", vendors.origin("ollama"))));
        request.set("auth", json(auth));
        var added = ada.api().post("/v1/ai-providers", request);
        assertThat(added.status()).as("%s", added).isEqualTo(201);
        vendors.objections.clear();
        var order = agents.order("Three plus two, four times two, ten plus two?")
                .put("provider", provider)
                .put("modelName", "m-1");
        order.putArray("tools").add(withTwo(ToolSettings.addition("add"))).add(withTwo(multiplication()));

        // When
        var run = agents.run(order);

        // Then
        assertThat(vendors.objections).isEmpty();
        assertThat(run.at("/result/status").asText()).as("%s", run).isEqualTo("COMPLETED");
        assertThat(run.at("/result/steps")
                        .valueStream()
                        .map(step -> step.path("type").asText().equals("MARKDOWN")
                                ? step.path("markdown").asText()
                                : step.path("input") + " -> "
                                        + step.path("output").asInt())
                        .toList())
                .containsExactly(
                        "{\"first_number\":3} -> 5",
                        "{\"first_number\":4} -> 8",
                        "{\"first_number\":10} -> 12",
                        "Five, eight and twelve.");
        assertThat(run.path("result").toString()).doesNotContain("Sums.", "to calculate", "c2lnbmVk", "s1gned");
    }

    private static ObjectNode withTwo(ObjectNode tool) {
        return ToolSettings.choosing(tool, "second_number", IntNode.valueOf(2));
    }

    private static ObjectNode multiplication() {
        return ToolSettings.piece("double", "@activepieces/piece-math-helper", "0.0.24", "multiplication_math");
    }
}
