package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.workspace.aiprovider.ProviderAccess;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Endpoints and request formats of Vertex AI models (contract agents 4.1). */
class VertexModelsTest {
    private static final ModelRequest QUESTION =
            ModelRequest.of("Be brief.", new ModelMessage.UserMessage("Hello"), 50);

    private static ModelEndpoint.PreparedRequest aloud(String model) {
        return prepared("global", model, true);
    }

    private static ModelEndpoint.PreparedRequest prepared(String region, String model) {
        return prepared(region, model, false);
    }

    private static ModelEndpoint.PreparedRequest prepared(String region, String model, boolean aloud) {
        var config = Json.object().put("project", "mill-1").put("region", region);
        var access = new ProviderAccess(
                "id", "vertex", "Vertex", config, Json.object().put("apiKey", "t0ken"));
        return new ModelEndpoint(host -> "https://" + host, InstantSource.system())
                .prepare(access, model, new RequestVariant(QUESTION, aloud, true));
    }

    private static JsonNode body(ModelEndpoint.PreparedRequest prepared) {
        return Json.trusted(prepared.request().body().orElseThrow().toString());
    }

    @Test
    void asksModelsOfGoogle_byContents() {
        var prepared = prepared("europe-west4", "gemini-2.5-pro");

        assertThat(prepared.request().address().toString())
                .isEqualTo("https://europe-west4-aiplatform.googleapis.com/v1/projects/mill-1/locations/europe-west4"
                        + "/publishers/google/models/gemini-2.5-pro:generateContent");
        assertThat(prepared.request().headers()).containsEntry("authorization", "Bearer t0ken");
        assertThat(body(prepared).at("/contents/0/parts/0/text").asText()).isEqualTo("Hello");
    }

    @Test
    void asksClaude_byMessages_withTheVersionInTheBody() {
        var prepared = prepared("global", "claude-sonnet-4-6");

        assertThat(prepared.request().address().toString())
                .isEqualTo("https://aiplatform.googleapis.com/v1/projects/mill-1/locations/global"
                        + "/publishers/anthropic/models/claude-sonnet-4-6:rawPredict");
        assertThat(body(prepared).path("anthropic_version").asText()).isEqualTo("vertex-2023-10-16");
        assertThat(body(prepared).has("model")).isFalse();
        assertThat(body(prepared).path("max_tokens").asInt()).isEqualTo(50);
    }

    @Test
    void asksAllOthers_inChatCompletions_byTheirPublisher() {
        assertThat(prepared("us-east5", "llama-4-maas").request().address().toString())
                .endsWith("/projects/mill-1/locations/us-east5/endpoints/openapi/chat/completions");
        assertThat(body(prepared("us-east5", "llama-4-maas")).path("model").asText())
                .isEqualTo("meta/llama-4-maas");
        assertThat(body(prepared("us-east5", "deepseek-ai/r1")).path("model").asText())
                .isEqualTo("deepseek-ai/r1");
    }

    @Test
    void isAskedForAStream_asEachPublisherWantsIt() {
        assertThat(aloud("gemini-2.5-pro").request().address().toString())
                .endsWith("/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
        assertThat(aloud("claude-sonnet-4-6").request().address().toString())
                .endsWith("/publishers/anthropic/models/claude-sonnet-4-6:streamRawPredict");
        assertThat(body(aloud("claude-sonnet-4-6")).path("stream").asBoolean()).isTrue();
        assertThat(body(aloud("llama-4-maas")).path("stream").asBoolean()).isTrue();
        assertThat(aloud("llama-4-maas").streamed()).isPresent();
    }
}
