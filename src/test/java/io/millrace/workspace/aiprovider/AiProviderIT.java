package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Model providers managed by administrators, with vendors on this host behind the guarded client. */
class AiProviderIT {
    private static final String KEY = "sk-the-millers-own";
    private static final String OPENAI = ProviderServer.OPENAI;

    @AutoClose
    private static ProviderServer server = ProviderServer.start();

    private static VendorPeer vendors = server.vendors();
    private ProviderServer.Administrator ours;

    @BeforeEach
    void makePlatform() {
        ours = server.administrator();
    }

    @Test
    void reportsThatAVendorDidNotAnswer() {
        // When
        var answer = ours.create("mistral", "{}", "{'apiKey':'k'}");

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).at("/params/message").asText())
                .startsWith("Failed to validate credentials for Mistral")
                .contains("ECONNREFUSED");
        assertThat(ours.listed()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        openai             | {}
        anthropic          | {}
        google             | {}
        mistral            | {}
        azure              | {'resourceName':'mill'}
        bedrock            | {'region':'eu-north-1'}
        cloudflare-gateway | {'accountId':'a','gatewayId':'g','models':[]}
        custom             | {'baseUrl':'https://models.example.com','apiKeyHeader':'X-Key','models':[]}
        """)
    void refusesAKeyThatNoHeaderCarries(String vendor, String config) {
        for (var end : new String[] {"\\r\\nInjected: 1", "\\n", "\\u000b", "\\u0085", "\\u2028", "\\u560d\\u560a"}) {
            var key = "k" + end;
            var answer = ours.create(
                    vendor, config, "{'apiKey':'" + key + "','accessKeyId':'" + key + "','secretAccessKey':'s'}");

            assertThat(answer.statusCode()).as("%s %s", vendor, key).isEqualTo(400);
            assertThat(json(answer).path("message").asText())
                    .startsWith("body/auth/" + (vendor.equals("bedrock") ? "accessKeyId" : "apiKey"))
                    .contains("expected one line of Latin-1 text");
        }
        assertThat(ours.listed()).isEmpty();
    }

    @Test
    void doesNotRepeatTheKey_thatAVendorRepeats() {
        // Given
        vendors.say(OPENAI, 401, "{'error':'incorrect key " + KEY + "'}");

        // When
        var answer = ours.create("openai", "{}", "{'apiKey':'" + KEY + "'}");

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).at("/params/message").asText()).contains("incorrect key ***");
        assertThat(json(answer).toString()).doesNotContain(KEY);
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
        var answer = ours.createCustom(baseUrl, header, key);

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("INVALID_AI_PROVIDER_CREDENTIALS");
        assertThat(json(answer).at("/params/message").asText()).startsWith(field + " must be");
        assertThat(ours.listed()).isEmpty();
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
        var answer = ours.create(vendor, config, auth);

        // Then
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("FST_ERR_VALIDATION");
        assertThat(json(answer).path("message").asText()).contains(message);
        assertThat(vendors.asked).isEmpty();
    }

    @Test
    void changesWhatIsGiven_afterItWasTried() {
        // Given
        var id =
                json(ours.create("openai", "{}", "{'apiKey':'old'}")).path("id").asText();
        vendors.asked.clear();

        // When
        var named = ours.update(id, "{'displayName':'New'}");
        var untried = vendors.targets();
        var changed = ours.update(id, "{'displayName':'New','auth':{'apiKey':'new'}}");
        vendors.say(OPENAI, 403, "{}");
        var refused = ours.update(id, "{'displayName':'Other','auth':{'apiKey':'bad'}}");
        var refusedConfig = ours.update(id, "{'displayName':'Other','config':{}}");

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
        assertThat(ours.listed().get(0).path("name").asText()).isEqualTo("New");
        assertThat(json(ours.revealed("openai")).at("/auth/apiKey").asText()).isEqualTo("new");
        assertThat(ours.update(id, "{'displayName':'New','auth':{}}").statusCode())
                .isEqualTo(400);
        assertThat(ours.update(Ids.next(), "{'displayName':'New'}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void oneAtMostServesChats() {
        // Given
        var first =
                json(ours.create("openai", "{}", "{'apiKey':'a'}")).path("id").asText();
        server.clock().advance(Duration.ofSeconds(1));
        var second = json(ours.named("Theirs", "openai", "b")).path("id").asText();

        // When
        ours.update(first, "{'displayName':'A','enabledForChat':true}");
        var both = ours.update(second, "{'displayName':'B','enabledForChat':true}");
        var kept = ours.update(second, "{'displayName':'C'}");

        // Then
        assertThat(both.statusCode()).isEqualTo(200);
        assertThat(json(kept).path("enabledForChat").asBoolean()).isTrue();
        assertThat(ours.listed().findValuesAsText("enabledForChat")).containsExactly("false", "true");
    }

    @Test
    void showsItsKeyToTheCodeOfPiecesOnly() {
        // Given
        ours.create("openai", "{}", "{'apiKey':'" + KEY + "'}");
        var stranger = server.newPlatform();

        // When
        var shown = ours.revealed("openai");
        var user = ours.get("/openai/config");
        var elsewhere = ours.revealed("/openai/config", stranger);

        // Then
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(json(shown))
                .isEqualTo(Json.trusted(("{'provider':'openai','config':{},'auth':{'apiKey':'" + KEY
                                + "'},'platformId':'" + ours.id() + "'}")
                        .replace('\'', '"')));
        assertThat(user.statusCode()).isEqualTo(403);
        assertThat(elsewhere.statusCode()).isEqualTo(404);
        assertThat(ours.listed().toString()).doesNotContain(KEY);
        assertThat(json(ours.revealed("", ours.id()))).isEqualTo(ours.listed());
        assertThat(await(server.database()
                                .read(tx -> tx.query(
                                        "select 1 from ai_provider where position($1::bytea in sealed_auth) > 0",
                                        KEY.getBytes(StandardCharsets.UTF_8))))
                        .size())
                .isZero();
    }

    @Test
    void givesTwoProvidersOfAKindTwoNames() {
        // Given
        vendors.say("api.deepseek.com/v1/models", 200, "{'data':[]}");
        ours.named("Ours", "openai", "a");
        var second = json(ours.named("Theirs", "openai", "b")).path("id").asText();

        // When
        var again = ours.named(" oURS ", "openai", "c");
        var renamed = ours.update(second, "{'displayName':'ours','enabledForChat':true}");
        var recased = ours.update(second, "{'displayName':'THEIRS'}");
        var ofAnotherKind = ours.named("Ours", "deepseek", "d");

        // Then
        for (var refused : List.of(again, renamed)) {
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("code").asText()).isEqualTo("VALIDATION");
            assertThat(json(refused).at("/params/message").asText()).startsWith("displayName:");
        }
        assertThat(recased.statusCode()).isEqualTo(200);
        assertThat(ofAnotherKind.statusCode()).isEqualTo(201);
        assertThat(ours.listed().findValuesAsText("enabledForChat")).containsExactly("false", "false", "false");
    }

    @Test
    void givesANameOnce_whenTwoAskForItAtTheSameTime() {
        // When
        var answers = IntStream.range(0, 6)
                .parallel()
                .mapToObj(index -> ours.named("Ours", "openai", "k" + index).statusCode())
                .toList();

        // Then
        assertThat(answers).containsOnlyOnce(201);
        assertThat(answers.stream().filter(status -> status == 409)).hasSize(5);
        assertThat(ours.listed()).hasSize(1);
    }

    @Test
    void keepsTheFormatThatACustomProviderSpeaks() {
        // When
        var made = ours.create(
                "custom",
                "{'baseUrl':'https://models.example.com/v1','apiKeyHeader':'x-key','models':[],'apiStyle':'responses'}",
                "{'apiKey':'k'}");

        // Then
        assertThat(json(made).at("/config/apiStyle").asText()).isEqualTo("responses");
    }

    @Test
    void isDeletedForGood() {
        // Given
        var id = json(ours.create("openai", "{}", "{'apiKey':'k'}")).path("id").asText();

        // When
        var deleted = ours.delete(ProviderServer.ALL + "/" + id);

        // Then
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(ours.delete(ProviderServer.ALL + "/" + id).statusCode()).isEqualTo(404);
        assertThat(ours.listed()).isEmpty();
    }
}
