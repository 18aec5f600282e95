package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.TokenService;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.base.secret.SecretBox;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.millrace.workspace.project.ProjectPlatformLookup;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers of models, with vendors of this host behind the guarded client. */
class AiProviderIT {
    private static final String ALL = "/v1/ai-providers";
    private static final String KEY = "sk-the-millers-own";
    private static final String OPENAI = "api.openai.com/v1/models";
    private static final String MODELS = "{'data':[{'id':'mill-7b'}]}";
    private static final String NOBODY_THERE = "http://127.0.0.1:1";

    private static final MovableClock CLOCK = new MovableClock();
    private static final AccessTokens TOKENS = new AccessTokens("signs tokens", CLOCK);

    private static VendorPeer vendors;
    private static Vertx vertx;
    private static Database database;
    private static ModuleServer server;

    private String platformId;
    private String bearer;

    @BeforeAll
    static void start() {
        vendors = new VendorPeer();
        vertx = TestPostgres.vertx();
        database = Database.open(vertx, TestPostgres.freshDatabase());
        var bus = new Bus(vertx);
        var box = new SecretBox("0123456789abcdef0123456789abcdef", List.of());
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new TokenService(database, TOKENS, new ProjectPlatformLookup(), CLOCK),
                        new AiProviderService(database, box, http, CLOCK, AiProviderIT::originOf),
                        new AiToolService(database, box, CLOCK)),
                List.of(new AiProviderRoutes(bus), new AiToolRoutes(bus)));
    }

    private static String originOf(String host) {
        return host.equals("api.mistral.ai") ? NOBODY_THERE : vendors.originOf(host);
    }

    @AfterAll
    static void stop() {
        server.close();
        await(database.close());
        await(vertx.close());
        vendors.close();
    }

    @BeforeEach
    void makePlatform() {
        platformId = TestProjects.insert(database);
        var claims = Json.object().put("id", platformId);
        claims.putObject("platform").put("id", platformId);
        bearer = "Bearer " + TOKENS.issue("USER", claims, Duration.ofDays(400));
        vendors.say(OPENAI, 200, MODELS);
        vendors.asked.clear();
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
        var refused = create(vendor, config, auth);
        vendors.say(target, 200, "{'data':[],'models':[],'modelSummaries':[]}");
        vendors.asked.clear();

        // When
        var made = create(vendor, config, auth);

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
        assertThat(listed()).containsExactly(withKeys(json(made)));
    }

    @Test
    void saysThatAVendorDidNotAnswer() {
        // When
        var answer = create("mistral", "{}", "{'apiKey':'k'}");

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).at("/params/message").asText())
                .startsWith("Failed to validate credentials for Mistral")
                .contains("ECONNREFUSED");
        assertThat(listed()).isEmpty();
    }

    @Test
    void doesNotRepeatTheKey_thatAVendorRepeats() {
        // Given
        vendors.say(OPENAI, 401, "{'error':'incorrect key " + KEY + "'}");

        // When
        var answer = create("openai", "{}", "{'apiKey':'" + KEY + "'}");

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).at("/params/message").asText()).contains("incorrect key ***");
        assertThat(json(answer).toString()).doesNotContain(KEY);
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
        var refused = created(body);
        vendors.say(target, 200, "{'access_token':'t0ken','expires_in':3600}");
        var made = created(body);
        body.putObject("auth").put("serviceAccountJson", "{}");
        var none = created(body);

        // Then
        assertThat(json(refused).at("/params/httpErrorResponse").asText()).contains("no such account");
        assertThat(made.statusCode()).as(made.toString()).isEqualTo(201);
        assertThat(json(made).toString()).doesNotContain("PRIVATE");
        assertThat(models("vertex").findValuesAsText("id")).containsExactly("gemini-2.5-pro");
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
        var made = create("azure", "{'resourceName':'new'}", "{'apiKey':'k'}");

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(models("azure").findValuesAsText("id")).containsExactly("gpt-x");
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
        var answer = create("cloudflare-gateway", config, "{'apiKey':'k'}");

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            models.example.com/v1     | Authorization      | k | baseUrl
            ftp://models.example.com  | Authorization      | k | baseUrl
            https://                  | Authorization      | k | baseUrl
            https://models.example.com/v1 | Authorization: Bearer | k | apiKeyHeader
            https://models.example.com/v1 | Bearer abc     | k | apiKeyHeader
            https://models.example.com/v1 | sk-abc         | sk-abc | apiKeyHeader
            """)
    void refusesAMalformedCustomProvider_withTheNameOfTheField(
            String baseUrl, String header, String key, String field) {
        // When
        var answer = createCustom(baseUrl, header, key);

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("INVALID_AI_PROVIDER_CREDENTIALS");
        assertThat(json(answer).at("/params/message").asText()).startsWith(field + " must be");
        assertThat(listed()).isEmpty();
    }

    @Test
    void keepsACustomProvider_withoutCallingIt() {
        // When
        var made = createCustom("https://models.example.com/v1", "x-key", "k");

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(models("custom"))
                .containsExactly(Json.object().put("id", "m").put("name", "M").put("type", "image"));
        assertThat(vendors.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            openal  | {} | {'apiKey':'k'} | body/provider Invalid option
            openai  | {} | {} | body/auth/apiKey Invalid input
            openai  | {} | {'apiKey':''} | body/auth/apiKey Too small
            openai  | 7  | {'apiKey':'k'} | body/config Invalid input: expected object
            azure   | {} | {'apiKey':'k'} | body/config/resourceName Invalid input
            azure   | {'resourceName':'evil.example.com/'} | {'apiKey':'k'} | body/config/resourceName Invalid string
            azure   | {'resourceName':'a','apiVersion':'1&x'} | {'apiKey':'k'} | body/config/apiVersion Invalid string
            bedrock | {'region':'x.evil.com/'} | {'accessKeyId':'a','secretAccessKey':'s'} | body/config/region Invalid string
            bedrock | {'region':''} | {'accessKeyId':'a','secretAccessKey':''} | body/auth/secretAccessKey Too small
            cloudflare-gateway | {'accountId':'a/..','gatewayId':'g','models':[]} | {'apiKey':'k'} | body/config/accountId Invalid string
            cloudflare-gateway | {'accountId':'a','gatewayId':'g'} | {'apiKey':'k'} | body/config/models Invalid input
            custom  | {'baseUrl':'https://a','apiKeyHeader':'b','models':[{'modelId':'m','modelName':'M','modelType':'film'}]} | {'apiKey':'k'} | body/config/models/0/modelType Invalid option
            custom  | {'baseUrl':'https://a','apiKeyHeader':'b','models':[],'apiStyle':'stream'} | {'apiKey':'k'} | body/config/apiStyle Invalid option
            deepseek | {} | {} | body/auth/apiKey Invalid input
            custom  | {'baseUrl':'https://a','apiKeyHeader':'b','models':[],'defaultHeaders':{'a':1}} | {'apiKey':'k'} | body/config/defaultHeaders Invalid input
            """)
    void refusesMalformedFields_eachByName(String vendor, String config, String auth, String message) {
        // When
        var answer = create(vendor, config, auth);

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("FST_ERR_VALIDATION");
        assertThat(json(answer).path("message").asText()).contains(message);
        assertThat(vendors.asked).isEmpty();
    }

    @Test
    void changesWhatIsGiven_afterItWasTried() {
        // Given
        var id = json(create("openai", "{}", "{'apiKey':'old'}")).path("id").asText();
        vendors.asked.clear();

        // When
        var named = update(id, "{'displayName':'New'}");
        var untried = vendors.targets();
        var changed = update(id, "{'displayName':'New','auth':{'apiKey':'new'}}");
        vendors.say(OPENAI, 403, "{}");
        var refused = update(id, "{'displayName':'Other','auth':{'apiKey':'bad'}}");
        var refusedConfig = update(id, "{'displayName':'Other','config':{}}");

        // Then
        assertThat(named.statusCode()).isEqualTo(200);
        assertThat(json(named).path("name").asText()).isEqualTo("New");
        assertThat(untried).isEmpty();
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refusedConfig.statusCode()).isEqualTo(400);
        assertThat(vendors.asked)
                .extracting(asked -> asked.headers().get("authorization"))
                .containsExactly("Bearer new", "Bearer bad", "Bearer new");
        assertThat(listed().get(0).path("name").asText()).isEqualTo("New");
        assertThat(json(revealed("openai")).at("/auth/apiKey").asText()).isEqualTo("new");
        assertThat(update(id, "{'displayName':'New','auth':{}}").statusCode()).isEqualTo(400);
        assertThat(update(Ids.next(), "{'displayName':'New'}").statusCode()).isEqualTo(404);
    }

    @Test
    void oneAtMostServesChats() {
        // Given
        var first = json(create("openai", "{}", "{'apiKey':'a'}")).path("id").asText();
        CLOCK.advance(Duration.ofSeconds(1));
        var second = json(named("Theirs", "openai", "b")).path("id").asText();

        // When
        update(first, "{'displayName':'A','enabledForChat':true}");
        var both = update(second, "{'displayName':'B','enabledForChat':true}");
        var kept = update(second, "{'displayName':'C'}");

        // Then
        assertThat(both.statusCode()).isEqualTo(200);
        assertThat(json(kept).path("enabledForChat").asBoolean()).isTrue();
        assertThat(listed().findValuesAsText("enabledForChat")).containsExactly("false", "true");
    }

    @Test
    void showsItsKeyToTheCodeOfPiecesOnly() {
        // Given
        create("openai", "{}", "{'apiKey':'" + KEY + "'}");
        var stranger = TestProjects.insert(database);

        // When
        var shown = revealed("openai");
        var user = server.get(ALL + "/openai/config", "Authorization", bearer);
        var elsewhere = server.get(ALL + "/openai/config", "Authorization", engine(stranger));

        // Then
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(json(shown))
                .isEqualTo(Json.trusted(("{'provider':'openai','config':{},'auth':{'apiKey':'" + KEY
                                + "'},'platformId':'" + platformId + "'}")
                        .replace('\'', '"')));
        assertThat(user.statusCode()).isEqualTo(403);
        assertThat(elsewhere.statusCode()).isEqualTo(404);
        assertThat(listed().toString()).doesNotContain(KEY);
        assertThat(json(server.get(ALL, "Authorization", engine(platformId)))).isEqualTo(listed());
        assertThat(await(database.read(tx -> tx.query(
                                "select 1 from ai_provider where position($1::bytea in sealed_auth) > 0",
                                KEY.getBytes(StandardCharsets.UTF_8))))
                        .size())
                .isZero();
    }

    @Test
    void showsTheNewestOfAVendor() {
        // Given
        create("openai", "{}", "{'apiKey':'first'}");
        CLOCK.advance(Duration.ofSeconds(1));
        named("Theirs", "openai", "second");

        // Then
        assertThat(json(revealed("openai")).at("/auth/apiKey").asText()).isEqualTo("second");
    }

    @Test
    void takesTheKeyThatIsMeant_ofSeveralOfAVendor() {
        // Given
        var first = json(named("First", "openai", "first")).path("id").asText();
        CLOCK.advance(Duration.ofSeconds(1));
        vendors.say("api.anthropic.com/v1/models?limit=1000", 200, "{'data':[]}");
        var second = json(named("Second", "openai", "second")).path("id").asText();
        CLOCK.advance(Duration.ofSeconds(1));
        var other = json(create("anthropic", "{}", "{'apiKey':'k'}")).path("id").asText();
        vendors.asked.clear();

        // When
        var shown = revealed("openai/config?configId=" + first, platformId);
        models("openai", first);
        var ofAnotherKind = revealed("openai/config?configId=" + other, platformId);
        var ofAnotherPlatform = revealed("openai/config?configId=" + first, TestProjects.insert(database));
        var unknown = server.get(ALL + "/openai/models?configId=" + Ids.next(), "Authorization", bearer);

        // Then
        assertThat(json(shown).at("/auth/apiKey").asText()).isEqualTo("first");
        assertThat(vendors.asked)
                .extracting(asked -> asked.headers().get("authorization"))
                .containsExactly("Bearer first");
        assertThat(ofAnotherKind.statusCode()).isEqualTo(404);
        assertThat(ofAnotherPlatform.statusCode()).isEqualTo(404);
        assertThat(unknown.statusCode()).isEqualTo(404);
        for (var index = 0; index < 2; index++) {
            assertThat(listed().get(index).path("keys"))
                    .containsExactly(
                            Json.object().put("id", first).put("name", "First"),
                            Json.object().put("id", second).put("name", "Second"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%00", "x%27", "activepieces"})
    void findsNoKey_underAnIdThatIsNone(String configId) {
        // Given
        create("openai", "{}", "{'apiKey':'k'}");

        // When
        var shown = revealed("openai/config?configId=" + configId, platformId);
        var models = server.get(ALL + "/openai/models?configId=" + configId, "Authorization", bearer);

        // Then
        assertThat(shown.statusCode()).isBetween(400, 404);
        assertThat(models.statusCode()).isBetween(400, 404);
    }

    @Test
    void givesTwoProvidersOfAKindTwoNames() {
        // Given
        vendors.say("api.deepseek.com/v1/models", 200, "{'data':[]}");
        named("Ours", "openai", "a");
        var second = json(named("Theirs", "openai", "b")).path("id").asText();

        // When
        var again = named(" oURS ", "openai", "c");
        var renamed = update(second, "{'displayName':'ours','enabledForChat':true}");
        var recased = update(second, "{'displayName':'THEIRS'}");
        var ofAnotherKind = named("Ours", "deepseek", "d");

        // Then
        for (var refused : List.of(again, renamed)) {
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("code").asText()).isEqualTo("VALIDATION");
            assertThat(json(refused).at("/params/message").asText()).startsWith("displayName:");
        }
        assertThat(recased.statusCode()).isEqualTo(200);
        assertThat(ofAnotherKind.statusCode()).isEqualTo(201);
        assertThat(listed().findValuesAsText("enabledForChat")).containsExactly("false", "false", "false");
    }

    @Test
    void givesANameOnce_whenTwoAskForItAtTheSameTime() {
        // When
        var answers = IntStream.range(0, 6)
                .parallel()
                .mapToObj(index -> named("Ours", "openai", "k" + index).statusCode())
                .toList();

        // Then
        assertThat(answers).containsOnlyOnce(201);
        assertThat(answers.stream().filter(status -> status == 409)).hasSize(5);
        assertThat(listed()).hasSize(1);
    }

    @Test
    void keepsTheFormatThatACustomProviderSpeaks() {
        // When
        var made = create(
                "custom",
                "{'baseUrl':'https://models.example.com/v1','apiKeyHeader':'x-key','models':[],'apiStyle':'responses'}",
                "{'apiKey':'k'}");

        // Then
        assertThat(json(made).at("/config/apiStyle").asText()).isEqualTo("responses");
    }

    @Test
    void asksXaiForWhatWrites_first() {
        // Given
        vendors.say("api.x.ai/v1/language-models", 200, "{'models':[{'id':'writes'}]}");

        // When
        named("Ours", "xai", "k");

        // Then
        assertThat(vendors.targets()).containsExactly("api.x.ai/v1/language-models");
        assertThat(models("xai"))
                .containsExactly(
                        Json.object().put("id", "writes").put("name", "writes").put("type", "text"));
        vendors.say("api.x.ai/v1/language-models", 404, "{}");
    }

    @Test
    void keepsTheModels_untilMidnightOrAChange() {
        // Given
        var id = json(create("openai", "{}", "{'apiKey':'k'}")).path("id").asText();
        vendors.asked.clear();

        // When
        var first = models("openai");
        var again = models("openai");
        var askedOnce = vendors.asked.size();
        CLOCK.advance(Duration.ofSeconds(1));
        update(id, "{'displayName':'Changed'}");
        models("openai");
        var afterChange = vendors.asked.size();
        CLOCK.advance(Duration.ofDays(1));
        models("openai");

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
    void saysWhyModelsCannotBeListed_andAsksAgain() {
        // Given
        create("openai", "{}", "{'apiKey':'k'}");
        vendors.say(OPENAI, 503, "{'error':'closed'}");

        // When
        var refused = server.get(ALL + "/openai/models", "Authorization", bearer);
        vendors.say(OPENAI, 200, MODELS);

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).at("/params/message").asText())
                .startsWith("Failed to list the models of OpenAI")
                .contains("503");
        assertThat(models("openai")).hasSize(1);
    }

    @Test
    void knowsNoOtherVendors_andNoneThatWasNotAdded() {
        for (var question : new String[] {"config", "models"}) {
            var unknown = server.get(ALL + "/openal/" + question, "Authorization", engine(platformId));
            var absent = server.get(ALL + "/google/" + question, "Authorization", engine(platformId));

            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(json(unknown).path("code").asText()).isEqualTo("AI_PROVIDER_NOT_SUPPORTED");
            assertThat(absent.statusCode()).isEqualTo(404);
        }
        var managed = create("activepieces", "{}", "{}");
        assertThat(managed.statusCode()).isEqualTo(409);
        assertThat(json(managed).path("code").asText()).isEqualTo("VALIDATION");
    }

    @Test
    void isDeletedForGood() {
        // Given
        var id = json(create("openai", "{}", "{'apiKey':'k'}")).path("id").asText();

        // When
        var deleted = server.delete(ALL + "/" + id, "Authorization", bearer);

        // Then
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(server.delete(ALL + "/" + id, "Authorization", bearer).statusCode())
                .isEqualTo(404);
        assertThat(listed()).isEmpty();
    }

    @Test
    void keepsOneToolForACapability() {
        // Given
        var first = tool("", "{'capability':'WEB_SEARCH','provider':'TAVILY','auth':{'apiKey':'" + KEY + "'}}");
        var id = json(first).path("id").asText();

        // When
        var second = tool(
                "",
                "{'capability':'WEB_SEARCH','provider':'FIRECRAWL','auth':{'apiKey':'x'},'config':{'a':1},'enabled':false}");
        var changed = tool("/" + id, "{'provider':'APIFY','config':null,'enabled':true}");

        // Then
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(json(first).path("enabled").asBoolean()).isTrue();
        assertThat(json(first).toString()).doesNotContain(KEY);
        assertThat(json(second).path("id").asText()).isEqualTo(id);
        assertThat(json(second).at("/config/a").asInt()).isEqualTo(1);
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(tools()).containsExactly(json(changed));
        assertThat(json(changed).path("provider").asText()).isEqualTo("APIFY");
        assertThat(json(changed).path("config").isNull()).isTrue();
        assertThat(tool("/" + id, "{'auth':{'apiKey':''}}").statusCode()).isEqualTo(400);
        assertThat(tool("/" + Ids.next(), "{}").statusCode()).isEqualTo(404);
        assertThat(server.delete("/v1/ai-tools/" + id, "Authorization", bearer).statusCode())
                .isEqualTo(204);
        assertThat(tools()).isEmpty();
    }

    private HttpResponse<byte[]> create(String vendor, String config, String auth) {
        return server.post(
                ALL,
                "{'displayName':'Ours','provider':'" + vendor + "','config':" + config + ",'auth':" + auth + "}",
                "Authorization",
                bearer);
    }

    private HttpResponse<byte[]> created(ObjectNode body) {
        return server.post(ALL, Json.text(body), "Authorization", bearer);
    }

    private HttpResponse<byte[]> named(String displayName, String vendor, String key) {
        return server.post(
                ALL,
                "{'displayName':'" + displayName + "','provider':'" + vendor + "','config':{},'auth':{'apiKey':'" + key
                        + "'}}",
                "Authorization",
                bearer);
    }

    /** As a list shows the only provider of its kind. */
    private static JsonNode withKeys(JsonNode provider) {
        var shown = (ObjectNode) provider.deepCopy();
        shown.putArray("keys")
                .addObject()
                .put("id", provider.path("id").asText())
                .put("name", provider.path("name").asText());
        return shown;
    }

    private HttpResponse<byte[]> createCustom(String baseUrl, String header, String key) {
        return create(
                "custom",
                "{'baseUrl':'" + baseUrl + "','apiKeyHeader':'" + header
                        + "','models':[{'modelId':'m','modelName':'M','modelType':'image'}]}",
                "{'apiKey':'" + key + "'}");
    }

    private HttpResponse<byte[]> update(String id, String body) {
        return server.post(ALL + "/" + id, body, "Authorization", bearer);
    }

    private HttpResponse<byte[]> revealed(String vendor) {
        return revealed(vendor + "/config", platformId);
    }

    private HttpResponse<byte[]> revealed(String path, String ofPlatform) {
        return server.get(ALL + "/" + path, "Authorization", engine(ofPlatform));
    }

    private JsonNode models(String vendor, String configId) {
        return json(server.get(ALL + "/" + vendor + "/models?configId=" + configId, "Authorization", bearer));
    }

    private JsonNode models(String vendor) {
        return json(server.get(ALL + "/" + vendor + "/models", "Authorization", bearer));
    }

    private JsonNode listed() {
        return json(server.get(ALL, "Authorization", bearer));
    }

    private HttpResponse<byte[]> tool(String path, String body) {
        return server.post("/v1/ai-tools" + path, body, "Authorization", bearer);
    }

    private JsonNode tools() {
        return json(server.get("/v1/ai-tools", "Authorization", bearer));
    }

    /** The token of the code of a piece that works for a project; here a platform has one of the same id. */
    private static String engine(String projectId) {
        return "Bearer " + TOKENS.issueEngine(projectId);
    }
}
