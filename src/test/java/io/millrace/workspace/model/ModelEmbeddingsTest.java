package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelVectors;
import io.millrace.workspace.aiprovider.ProviderAccess;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Embedding requests in the documented format of each provider (contract agents 4.4). */
class ModelEmbeddingsTest {
    private static final List<String> TEXTS = List.of("one", "two");

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static ProviderAccess access(String provider, String config) {
        return new ProviderAccess(
                "id",
                provider,
                provider,
                (ObjectNode) json(config),
                Json.object().put("apiKey", "k3y9"));
    }

    private static ArrayNode numbers(int count, int axis) {
        var numbers = Json.array();
        for (var index = 0; index < count; index++) {
            numbers.add(index == axis ? 3.0 : index == count - 1 ? 4.0 : 0.0);
        }
        return numbers;
    }

    /** The request as sent: address, headers and body. */
    private static String sent(ProviderAccess access) {
        var format = ModelEmbeddings.of(access.provider()).orElseThrow();
        var model = OfferedModels.embedding(access).orElseThrow();
        var request = new ModelEndpoint(host -> "https://" + host, InstantSource.system())
                .request(access, format.path(access, model), format.write(model, TEXTS));
        return request.address() + " "
                + Json.trusted(request.body().orElseThrow().toString());
    }

    @Test
    void asksEachProviderInItsOwnWay() {
        assertThat(sent(access("openai", "{}")))
                .isEqualTo("https://api.openai.com/v1/embeddings "
                        + json("{'model':'text-embedding-3-small','encoding_format':'float','input':['one','two']}"));
        assertThat(sent(access("openrouter", "{}")))
                .startsWith("https://openrouter.ai/api/v1/embeddings ")
                .contains("openai/text-embedding-3-small");
        assertThat(sent(access("azure", "{'resourceName':'mill'}")))
                .startsWith("https://mill.openai.azure.com/openai/deployments/text-embedding-3-small/embeddings"
                        + "?api-version=2024-10-21 ");
        assertThat(sent(access("google", "{}")))
                .isEqualTo(
                        "https://generativelanguage.googleapis.com/v1beta/models/text-embedding-004:batchEmbedContents "
                                + json("""
                                {'requests':[{'model':'models/text-embedding-004','content':{'parts':[{'text':'one'}]}},
                                             {'model':'models/text-embedding-004','content':{'parts':[{'text':'two'}]}}]}
                                """));
        assertThat(sent(access(
                        "custom",
                        "{'baseUrl':'https://llm.example.com/v1/','apiKeyHeader':'x-key','embeddingModel':'bge'}")))
                .startsWith("https://llm.example.com/v1/embeddings ")
                .contains("'bge'".replace('\'', '"'));
    }

    @Test
    void hasNoneForOtherProviders_orACustomOneThatNamesNone() {
        assertThat(OfferedModels.embedding(access("anthropic", "{}"))).isEmpty();
        assertThat(OfferedModels.embedding(access("custom", "{}"))).isEmpty();
        assertThat(ModelEmbeddings.of("bedrock")).isEmpty();
    }

    @Test
    void readsVectorsByTheirIndex_cutsThem_andMakesThemOfLengthOne() {
        // Given
        var body = Json.object();
        var data = body.putArray("data");
        data.addObject().put("index", 1).set("embedding", numbers(1_536, 1));
        data.addObject().put("index", 0).set("embedding", numbers(768, 0));
        body.putObject("usage").put("prompt_tokens", 12).put("total_tokens", 12);

        // When
        var read = ModelEmbeddings.LIST.read(body, 2);

        // Then
        assertThat(read.tokens()).isEqualTo(12);
        assertThat(read.vectors()).allSatisfy(vector -> assertThat(vector).hasSize(ModelVectors.DIMENSIONS));
        assertThat(read.vectors().get(0)[0]).isEqualTo(0.6f);
        assertThat(read.vectors().get(0)[767]).isEqualTo(0.8f);
        assertThat(read.vectors().get(1)[1]).isEqualTo(1f);
    }

    @Test
    void readsVectorsOfGoogle() {
        var body = Json.object();
        body.putArray("embeddings").addObject().set("values", numbers(768, 5));

        assertThat(ModelEmbeddings.CONTENTS.read(body, 1).vectors().getFirst()[5])
                .isEqualTo(0.6f);
    }

    @Test
    void refusesVectorsThatAreTooShort_missing_orNone() {
        refuses(numbers(767, 0), "at least 768 numbers, found 767");
        refuses(Json.array().add("text"), "found 1");
        var zeros = Json.array();
        for (var index = 0; index < 768; index++) {
            zeros.add(0);
        }
        refuses(zeros, "other than zero");
        assertThatThrownBy(() -> ModelEmbeddings.LIST.read(Json.object(), 1)).hasMessageContaining("found fewer");
        var wrong = Json.object();
        wrong.putArray("data").addObject().put("index", 7).set("embedding", numbers(768, 0));
        assertThatThrownBy(() -> ModelEmbeddings.LIST.read(wrong, 1)).hasMessageContaining("found more");
    }

    private static void refuses(ArrayNode embedding, String reason) {
        var body = Json.object();
        body.putArray("data").addObject().put("index", 0).set("embedding", embedding);
        assertThatThrownBy(() -> ModelEmbeddings.LIST.read(body, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
