package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to each vendor that verify a key and list its models. */
class AiVendorIT {
    private static final String OPENAI = ProviderServer.OPENAI;
    private static final String MODELS = ProviderServer.MODELS;

    @AutoClose
    private static ProviderServer server = ProviderServer.start();

    private static VendorPeer vendors = server.vendors();
    private ProviderServer.Administrator ours;

    @BeforeEach
    void makePlatform() {
        ours = server.administrator();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            openai     | {} | {'apiKey':'k'} | api.openai.com/v1/models | authorization | Bearer k
            openrouter | {} | {'apiKey':'k'} | openrouter.ai/api/v1/key | authorization | Bearer k
            anthropic  | {} | {'apiKey':'k'} | api.anthropic.com/v1/models?limit=1000 | x-api-key | k
            google     | {} | {'apiKey':'k'} | generativelanguage.googleapis.com/v1beta/models?pageSize=1000 | x-goog-api-key | k
            azure      | {'resourceName':'mill'} | {'apiKey':'k'} | mill.openai.azure.com/openai/deployments?api-version=2024-10-21 | api-key | k
            azure      | {'resourceName':'mill','apiVersion':' '} | {'apiKey':'k'} | mill.openai.azure.com/openai/deployments?api-version=2024-10-21 | api-key | k
            azure      | {'resourceName':'mill','apiVersion':'2025-01-01'} | {'apiKey':'k'} | mill.openai.azure.com/openai/deployments?api-version=2025-01-01 | api-key | k
            bedrock    | {'region':'eu-north-1'} | {'accessKeyId':'AKID','secretAccessKey':'s'} | bedrock.eu-north-1.amazonaws.com/foundation-models | authorization | AWS4-HMAC-SHA256 Credential=AKID/
            xai        | {} | {'apiKey':'k'} | api.x.ai/v1/models | authorization | Bearer k
            deepseek   | {} | {'apiKey':'k'} | api.deepseek.com/v1/models | authorization | Bearer k
            zai        | {} | {'apiKey':'k'} | api.z.ai/api/paas/v4/models | authorization | Bearer k
            qwen       | {} | {'apiKey':'k'} | dashscope-intl.aliyuncs.com/compatible-mode/v1/models | authorization | Bearer k
            minimax    | {} | {'apiKey':'k'} | api.minimax.io/v1/models | authorization | Bearer k
            moonshot   | {} | {'apiKey':'k'} | api.moonshot.ai/v1/models | authorization | Bearer k
            cloudflare-gateway | {'accountId':'a','gatewayId':'g','models':[{'modelId':'openai/m','modelName':'M','modelType':'text'}]} | {'apiKey':'k'} | gateway.ai.cloudflare.com/v1/a/g/compat/chat/completions | cf-aig-authorization | Bearer k
            cloudflare-gateway | {'accountId':'a','gatewayId':'g','vertexProject':'p','vertexRegion':'r','models':[{'modelId':'google-vertex-ai/google/m','modelName':'M','modelType':'text'}]} | {'apiKey':'k'} | gateway.ai.cloudflare.com/v1/a/g/google-vertex-ai/v1/projects/p/locations/r/publishers/google/models/m:generateContent | cf-aig-authorization | Bearer k
            """)
    void isKept_onceItsVendorHasTakenTheKey(
            String vendor, String config, String auth, String target, String header, String value) {
        // Given
        vendors.say(target, 401, "{'error':'not valid'}");
        var refused = ours.create(vendor, config, auth);
        vendors.say(target, 200, "{'data':[],'models':[],'modelSummaries':[]}");
        vendors.asked.clear();

        // When
        var made = ours.create(vendor, config, auth);

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("code").asText()).isEqualTo("INVALID_AI_PROVIDER_CREDENTIALS");
        assertThat(json(refused).at("/params/provider").asText()).isEqualTo(vendor);
        assertThat(json(refused).at("/params/httpErrorResponse").asText()).contains("401", "not valid");
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(json(made).path("provider").asText()).isEqualTo(vendor);
        assertThat(json(made).has("auth")).isFalse();
        assertThat(vendors.asked).anySatisfy(asked -> {
            assertThat(asked.target()).isEqualTo(target);
            assertThat(asked.headers().get(header)).startsWith(value);
        });
        assertThat(ours.listed()).containsExactly(ProviderServer.Administrator.withKeys(json(made)));
    }

    @Test
    void exchangesTheAssertionOfAServiceAccount_forAToken() {
        // Given
        var key = (RSAPrivateCrtKey) RsaKeys.generate(2_048).getPrivate();
        var pem = "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key.getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        var account = Json.text(Json.object()
                .put("client_email", "mill@example.iam.gserviceaccount.com")
                .put("private_key_id", "k1")
                .put("private_key", pem)
                .put("token_uri", "https://elsewhere.example.com/token"));
        var body = Json.object().put("displayName", "Vertex").put("provider", "vertex");
        var config = body.putObject("config").put("project", "mill-1").put("region", "europe-west4");
        config.putArray("models")
                .addObject()
                .put("modelId", "gemini-2.5-pro")
                .put("modelName", "Gemini")
                .put("modelType", "text");
        body.putObject("auth").put("serviceAccountJson", account);
        var target = "oauth2.googleapis.com/token";

        // When
        vendors.say(target, 400, "{'error':'invalid_grant','error_description':'no such account'}");
        var refused = ours.created(body);
        vendors.say(target, 200, "{'access_token':'t0ken','expires_in':3600}");
        var made = ours.created(body);
        body.putObject("auth").put("serviceAccountJson", "{}");
        var none = ours.created(body);

        // Then
        assertThat(json(refused).at("/params/httpErrorResponse").asText()).contains("no such account");
        assertThat(made.statusCode()).as(made.toString()).isEqualTo(201);
        assertThat(json(made).toString()).doesNotContain("PRIVATE");
        assertThat(ours.models("vertex").findValuesAsText("id")).containsExactly("gemini-2.5-pro");
        assertThat(json(none).at("/params/message").asText()).contains("serviceAccountJson must be");
        assertThat(vendors.targets()).containsOnly(target);
        var form = vendors.asked.getLast().body().toString();
        assertThat(form).startsWith("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=");
        var assertion =
                RsaToken.parse(form.substring(form.lastIndexOf('=') + 1)).orElseThrow();
        assertThat(assertion.isSignedBy(RsaKeys.publicHalf(key))).isTrue();
        assertThat(assertion.kid()).isEqualTo("k1");
        assertThat(assertion.claims().path("iss").asText()).isEqualTo("mill@example.iam.gserviceaccount.com");
        assertThat(assertion.claims().path("aud").asText()).isEqualTo("https://oauth2.googleapis.com/token");
    }

    @Test
    void asksForModels_whereAResourceListsNoDeployments() {
        // Given
        vendors.say("new.openai.azure.com/openai/models?api-version=2024-10-21", 200, "{'data':[{'id':'gpt-x'}]}");

        // When
        var made = ours.create("azure", "{'resourceName':'new'}", "{'apiKey':'k'}");

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(ours.models("azure").findValuesAsText("id")).containsExactly("gpt-x");
    }

    @Test
    void namesTheModelsThatAGatewayDoesNotTake() {
        // Given
        var config = "{'accountId':'b','gatewayId':'g','models':["
                + "{'modelId':'openai/good','modelName':'','modelType':'text'},"
                + "{'modelId':'google-vertex-ai/odd','modelName':'','modelType':'text'},"
                + "{'modelId':'openai/draws','modelName':'','modelType':'image'}]}";
        vendors.say("gateway.ai.cloudflare.com/v1/b/g/compat/chat/completions", 200, "{}");

        // When
        var answer = ours.create("cloudflare-gateway", config, "{'apiKey':'k'}");

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).at("/params/message").asText())
                .contains("google-vertex-ai/odd (expected google-vertex-ai/publisher/model")
                .doesNotContain("openai/");
        assertThat(vendors.asked).hasSize(1);
        assertThat(Json.trusted(vendors.asked.getFirst().body().getBytes())
                        .path("model")
                        .asText())
                .isEqualTo("openai/good");
    }

    @Test
    void keepsACustomProvider_withoutCallingIt() {
        // When
        var made = ours.createCustom("https://models.example.com/v1", "x-key", "k");

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(ours.models("custom"))
                .containsExactly(Json.object().put("id", "m").put("name", "M").put("type", "image"));
        assertThat(vendors.asked).isEmpty();
    }

    @Test
    void asksXaiForWhatWrites_first() {
        // Given
        vendors.say("api.x.ai/v1/language-models", 200, "{'models':[{'id':'writes'}]}");

        // When
        ours.named("Ours", "xai", "k");

        // Then
        assertThat(vendors.targets()).containsExactly("api.x.ai/v1/language-models");
        assertThat(ours.models("xai"))
                .containsExactly(
                        Json.object().put("id", "writes").put("name", "writes").put("type", "text"));
        vendors.say("api.x.ai/v1/language-models", 404, "{}");
    }

    @Test
    void keepsTheModels_untilMidnightOrAChange() {
        // Given
        var id = json(ours.create("openai", "{}", "{'apiKey':'k'}")).path("id").asText();
        vendors.asked.clear();

        // When
        var first = ours.models("openai");
        var again = ours.models("openai");
        var askedOnce = vendors.asked.size();
        server.clock().advance(Duration.ofSeconds(1));
        ours.update(id, "{'displayName':'Changed'}");
        ours.models("openai");
        var afterChange = vendors.asked.size();
        server.clock().advance(Duration.ofDays(1));
        ours.models("openai");

        // Then
        assertThat(first)
                .containsExactly(Json.object()
                        .put("id", "mill-7b")
                        .put("name", "mill-7b")
                        .put("type", "text"));
        assertThat(again).isEqualTo(first);
        assertThat(askedOnce).isEqualTo(1);
        assertThat(afterChange).isEqualTo(2);
        assertThat(vendors.asked).hasSize(3);
    }

    @Test
    void reportsWhyModelsCannotBeListed_andRetries() {
        // Given
        ours.create("openai", "{}", "{'apiKey':'k'}");
        vendors.say(OPENAI, 503, "{'error':'closed'}");

        // When
        var refused = ours.get("/openai/models");
        vendors.say(OPENAI, 200, MODELS);

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).at("/params/message").asText())
                .startsWith("Failed to list the models of OpenAI")
                .contains("503");
        assertThat(ours.models("openai")).hasSize(1);
    }

    @Test
    void knowsNoOtherVendors_andNoneThatWasNotAdded() {
        for (var question : new String[] {"config", "models"}) {
            var unknown = ours.revealed("/openal/" + question, ours.id());
            var absent = ours.revealed("/google/" + question, ours.id());

            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(json(unknown).path("code").asText()).isEqualTo("AI_PROVIDER_NOT_SUPPORTED");
            assertThat(absent.statusCode()).isEqualTo(404);
        }
        var managed = ours.create("activepieces", "{}", "{}");
        assertThat(managed.statusCode()).isEqualTo(409);
        assertThat(json(managed).path("code").asText()).isEqualTo("VALIDATION");
    }
}
