package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.model.format.StreamingVendor;
import java.time.InstantSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Endpoint address and authentication headers of each provider (contract agents 4.1). */
class ModelEndpointTest {
    private static final ModelEndpoint ENDPOINT = new ModelEndpoint(host -> "https://" + host, InstantSource.system());

    private static final ModelRequest QUESTION = ModelRequest.of("", new ModelMessage.UserMessage("Hi."), 10);

    private static ProviderAccess access(String provider, String config) {
        return new ProviderAccess(
                "1",
                provider,
                provider,
                (ObjectNode) Json.trusted(config.replace('\'', '"')),
                Json.object().put("apiKey", "k3y9"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            openai     | {} | https://api.openai.com/v1/chat/completions | authorization | Bearer k3y9
            anthropic  | {} | https://api.anthropic.com/v1/messages | x-api-key | k3y9
            google     | {} | https://generativelanguage.googleapis.com/v1beta/models/m-1:generateContent | x-goog-api-key | k3y9
            azure      | {'resourceName':'mill'} | https://mill.openai.azure.com/openai/deployments/m-1/chat/completions?api-version=2024-10-21 | api-key | k3y9
            azure      | {'resourceName':'mill','apiVersion':'2025-01-01'} | https://mill.openai.azure.com/openai/deployments/m-1/chat/completions?api-version=2025-01-01 | api-key | k3y9
            openrouter | {} | https://openrouter.ai/api/v1/chat/completions | authorization | Bearer k3y9
            mistral    | {} | https://api.mistral.ai/v1/chat/completions | authorization | Bearer k3y9
            cloudflare-gateway | {'accountId':'a','gatewayId':'g'} | https://gateway.ai.cloudflare.com/v1/a/g/compat/chat/completions | cf-aig-authorization | Bearer k3y9
            custom     | {'baseUrl':'https://ai.example.com/v1/','apiKeyHeader':'x-key'} | https://ai.example.com/v1/chat/completions | x-key | k3y9
            custom     | {'baseUrl':'https://ai.example.com','apiKeyHeader':'x-key','apiStyle':'responses'} | https://ai.example.com/responses | x-key | k3y9
            deepseek   | {} | https://api.deepseek.com/v1/chat/completions | authorization | Bearer k3y9
            zai        | {} | https://api.z.ai/api/paas/v4/chat/completions | authorization | Bearer k3y9
            """)
    void isCalledWhereItsVendorSays(String provider, String config, String url, String header, String value) {
        // When
        var prepared = ENDPOINT.prepare(access(provider, config), "m-1", new RequestVariant(QUESTION, false, true));

        // Then
        assertThat(prepared.request().address()).hasToString(url);
        assertThat(prepared.request().headers()).containsEntry(header, value);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.workspace.model.format.StreamingVendor#all")
    void requestsAStream_whenThereIsAListener(StreamingVendor vendor) {
        // Given
        var access = vendor.access("https://ai.example.com");

        // When
        var aloud = ENDPOINT.prepare(access, "m-1", new RequestVariant(QUESTION, true, true));
        var still = ENDPOINT.prepare(access, "m-1", new RequestVariant(QUESTION, false, true));

        // Then
        assertThat(aloud.request().address().toString()).endsWith(vendor.path());
        assertThat(aloud.streamed()).contains(vendor.stream());
        assertThat(aloud.request().headers().get("accept"))
                .contains(vendor.stream().mediaType());
        assertThat(still.streamed()).isEmpty();
        assertThat(still.request().address().toString() + still.request().body().orElseThrow())
                .doesNotContain("stream");
    }

    @ParameterizedTest
    @CsvSource({"2024-06-01,false", "2024-09-01-preview,true", "2025-01-01,true", "preview,true"})
    void asksAzureForNoStream_thatDoesNotSayWhatItCost(String version, boolean streams) {
        var prepared = ENDPOINT.prepare(
                access("azure", "{'resourceName':'mill','apiVersion':'" + version + "'}"),
                "m-1",
                new RequestVariant(QUESTION, true, true));

        assertThat(prepared.streamed().isPresent()).isEqualTo(streams);
        assertThat(prepared.request().body().orElseThrow().toString().contains("\"stream\":true"))
                .isEqualTo(streams);
    }
}
