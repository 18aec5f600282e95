package io.millrace.workspace.secretmanager;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.TokenService;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.outside.VaultServer;
import io.millrace.workspace.project.ProjectPlatformLookup;
import io.millrace.workspace.project.member.ProjectGateService;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Secret managers, with vaults of this host behind the guarded client. */
class SecretManagerIT {
    private static final String ALL = "/v1/secret-managers";
    private static final long DEADLINE_MS = 20_000;
    private static final String AWS =
            "{'accessKeyId':'AKIDMILL','secretAccessKey':'" + VaultServer.LOGIN_SECRET + "','region':'eu-north-1'}";

    private static final MovableClock CLOCK = new MovableClock();
    private static final AccessTokens TOKENS = new AccessTokens("signs tokens", CLOCK);

    private static VaultServer vault;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static Bus bus;
    private static ModuleServer server;

    /** In this test a platform has one project with the same id. */
    private String platformId;

    private String bearer;

    @BeforeAll
    static void start() {
        vault = new VaultServer();
        bus = new Bus(vertx);
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new TokenService(database, TOKENS, new ProjectPlatformLookup(), CLOCK),
                        new ProjectGateService(database),
                        new SecretManagerService(
                                bus,
                                database,
                                new SecretBox("0123456789abcdef0123456789abcdef"),
                                http,
                                CLOCK,
                                host -> vault.url() + "/" + host)),
                List.of(new SecretManagerRoutes(bus)));
        vault.keep("secret/data/keys", "{'my-key':'flour','other':'bran','many':{'a':1},'number':7}");
        vault.keep("old/keys", "{'my-key':'rye'}");
        vault.keep("mill/prod key", "'oats'");
        vault.keep("prod/mill", "{'key':'wheat'}");
        vault.keep("arn:aws:secretsmanager:eu-north-1:1:secret:mill-AbCdEf", "{'key':'barley'}");
        vault.keep("plain", "'not json'");
    }

    @AfterAll
    static void stop() {
        server.close();
        vault.close();
    }

    @BeforeEach
    void makePlatform() {
        platformId = TestProjects.insert(database);
        bearer = bearerOf(platformId);
        vault.closed = false;
        vault.reads.clear();
    }

    private static String bearerOf(String platformId) {
        return TestProjects.bearer(TOKENS, platformId);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            hashicorp       | secret/data/keys/my-key | flour
            hashicorp       | old/keys/my-key         | rye
            hashicorp       | secret/data/keys/number | 7
            cyberark-conjur | mill/prod key           | oats
            aws             | prod/mill:key           | wheat
            aws             | arn:aws:secretsmanager:eu-north-1:1:secret:mill-AbCdEf:key | barley
            """)
    void giveWhatAReferenceStandsFor(String vendor, String path, String secret) {
        // Given
        var made = create(vendor, configOf(vendor, VaultServer.LOGIN_SECRET));
        var value = Json.object().put("type", "CUSTOM_AUTH").put("literal", "{{nothing}}");
        value.putObject("props").putArray("keys").add(reference(made, path)).add("plain");

        // When
        var resolved = resolve(value);

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(json(made).at("/connection/configured").asBoolean()).isTrue();
        assertThat(json(made).at("/connection/connected").asBoolean()).isTrue();
        assertThat(json(made).toString()).doesNotContain(VaultServer.LOGIN_SECRET, "config\"");
        assertThat(resolved.at("/props/keys/0").asText()).isEqualTo(secret);
        assertThat(resolved.at("/props/keys/1").asText()).isEqualTo("plain");
        assertThat(resolved.path("literal").asText()).isEqualTo("{{nothing}}");
        assertThat(value.at("/props/keys/0").asText()).contains("ap_sep_v1");
    }

    private static String configOf(String vendor, String secret) {
        return switch (vendor) {
            case "hashicorp" -> "{'url':'" + vault.url() + "','roleId':'mill','secretId':'" + secret + "'}";
            case "cyberark-conjur" ->
                "{'url':'" + vault.url() + "/','organizationAccountName':'acme','loginId':'host/mill','apiKey':'"
                        + secret + "'}";
            case "aws" ->
                secret.equals(VaultServer.LOGIN_SECRET)
                        ? AWS
                        : "{'accessKeyId':'AKIDOTHER','secretAccessKey':'" + secret + "','region':'eu-north-1'}";
            default -> "{'serviceAccountToken':'" + secret + "'}";
        };
    }

    @ParameterizedTest
    @CsvSource({"hashicorp,400", "cyberark-conjur,401", "aws,UnrecognizedClientException", "onepassword,1Password"})
    void areNotKept_whenTheyDoNotLetTheServerIn(String vendor, String why) {
        // When
        var refused = create(vendor, configOf(vendor, "wrong-secret-0815"));

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("code").asText()).isEqualTo("SECRET_MANAGER_CONNECTION_FAILED");
        assertThat(json(refused).at("/params/provider").asText()).isEqualTo(vendor);
        assertThat(json(refused).at("/params/message").asText()).contains(why).doesNotContain("0815");
        assertThat(listed("").path("data")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hashicorp | secret/data/none/my-key | SECRET_MANAGER_GET_SECRET_FAILED | 404
            hashicorp | secret/data/keys/none   | SECRET_MANAGER_GET_SECRET_FAILED | there is no secret
            hashicorp | secret/data/keys/many   | SECRET_MANAGER_KEY_NOT_SECRET    | several values
            hashicorp | my-key                  | SECRET_MANAGER_KEY_NOT_SECRET    | mount/path/key
            hashicorp | secret/../sys/seal      | SECRET_MANAGER_KEY_NOT_SECRET    | mount/path/key
            aws       | prod/none:key           | SECRET_MANAGER_GET_SECRET_FAILED | ResourceNotFoundException
            aws       | prod/mill:none          | SECRET_MANAGER_GET_SECRET_FAILED | there is no secret
            aws       | prod/mill               | SECRET_MANAGER_KEY_NOT_SECRET    | secret-name:json-key
            aws       | arn:aws:secretsmanager:eu-north-1:1:secret:mill-AbCdEf | SECRET_MANAGER_KEY_NOT_SECRET | secret-name:json-key
            aws       | plain:key               | SECRET_MANAGER_KEY_NOT_SECRET    | not a JSON object
            cyberark-conjur | mill/none         | SECRET_MANAGER_GET_SECRET_FAILED | 404
            """)
    void sayWhyASecretCannotBeHad(String vendor, String path, ErrorCode code, String why) {
        // Given
        var made = create(vendor, configOf(vendor, VaultServer.LOGIN_SECRET));

        // Then
        assertThatThrownBy(() -> resolve(Json.object().put("key", reference(made, path))))
                .isInstanceOfSatisfying(ApiException.class, refused -> {
                    assertThat(refused.code()).isEqualTo(code);
                    assertThat(refused.text()).contains(why).doesNotContain("not json");
                    if (code == ErrorCode.SECRET_MANAGER_GET_SECRET_FAILED) {
                        assertThat(refused.params().path("provider").asText()).isEqualTo(vendor);
                        assertThat(refused.params().at("/request/path").asText())
                                .isEqualTo(path);
                    }
                });
    }

    @Test
    void keepASecretForAnHour_orUntilItShallBeFresh() {
        // Given
        var made = create("hashicorp", configOf("hashicorp", VaultServer.LOGIN_SECRET));
        var id = json(made).path("id").asText();
        var value = Json.object().put("key", reference(made, "secret/data/keys/my-key"));
        resolve(value);
        CLOCK.advance(Duration.ofMinutes(59));
        resolve(value);
        var within = vault.reads.size();

        // When
        CLOCK.advance(Duration.ofMinutes(2));
        resolve(value);
        var afterAnHour = vault.reads.size();
        CLOCK.advance(Duration.ofSeconds(1));
        var dropped = delete("/cache?connectionId=" + id);
        resolve(value);
        var afterDrop = vault.reads.size();
        CLOCK.advance(Duration.ofSeconds(1));
        delete("/cache");
        resolve(value);

        // Then
        assertThat(within).isEqualTo(1);
        assertThat(afterAnHour).isEqualTo(2);
        assertThat(dropped.statusCode()).isEqualTo(204);
        assertThat(afterDrop).isEqualTo(3);
        assertThat(vault.reads).hasSize(4);
        assertThat(delete("/cache?connectionId=" + Ids.next()).statusCode()).isEqualTo(404);
    }

    @Test
    void doNotKeepAFailure() {
        // Given
        var made = create("hashicorp", configOf("hashicorp", VaultServer.LOGIN_SECRET));
        var value = Json.object().put("key", reference(made, "secret/data/keys/my-key"));
        vault.closed = true;
        assertThatThrownBy(() -> resolve(value))
                .hasMessageContaining("the login was refused with status 403")
                .message()
                .doesNotContain(VaultServer.LOGIN_SECRET);

        // When
        vault.closed = false;

        // Then
        assertThat(resolve(value).path("key").asText()).isEqualTo("flour");
    }

    @Test
    void sayInTheListWhetherTheyLetTheServerIn() {
        // Given
        create("hashicorp", configOf("hashicorp", VaultServer.LOGIN_SECRET));
        var before = listed("").at("/data/0/connection/connected").asBoolean();
        vault.closed = true;

        // When
        CLOCK.advance(Duration.ofMinutes(2));

        // Then
        assertThat(before).isTrue();
        assertThat(listed("").at("/data/0/connection/connected").asBoolean()).isFalse();
        assertThat(listed("").toString()).doesNotContain(VaultServer.LOGIN_SECRET, "secretId");
    }

    @Test
    void serveTheProjectsThatTheyAreFor() {
        // Given
        var config = configOf("hashicorp", VaultServer.LOGIN_SECRET);
        var made = create("hashicorp", "PROJECT", "['" + platformId + "']", config);
        var value = Json.object().put("key", reference(made, "secret/data/keys/my-key"));
        var elsewhere = TestProjects.insert(database);

        // Then
        assertThat(json(made).at("/projectIds/0").asText()).isEqualTo(platformId);
        assertThat(resolve(value).path("key").asText()).isEqualTo("flour");
        assertThat(listed("?projectId=" + platformId).path("data")).hasSize(1);
        assertThatThrownBy(() -> resolve(value, platformId, Optional.of(Ids.next())))
                .hasMessageContaining("expected an existing secret manager for this connection, found");
        assertThatThrownBy(() -> resolve(value, platformId, Optional.empty()))
                .hasMessageContaining("expected an existing secret manager for this connection, found");
        assertThatThrownBy(() -> resolve(value, elsewhere, Optional.of(platformId)))
                .hasMessageContaining("expected an existing secret manager for this connection, found");
        assertThat(server.get(ALL + "?projectId=" + elsewhere, "Authorization", bearer)
                        .statusCode())
                .isEqualTo(403);
        assertThat(create("hashicorp", "PROJECT", "['" + elsewhere + "']", config)
                        .statusCode())
                .isEqualTo(404);
        assertThat(json(create("hashicorp", "PROJECT", "[]", config))
                        .path("message")
                        .asText())
                .startsWith("body/projectIds Too small");
    }

    @Test
    void areChangedWhole_andDeletedForGood() {
        // Given
        var config = configOf("hashicorp", VaultServer.LOGIN_SECRET);
        var id = json(create("hashicorp", config)).path("id").asText();
        var changes = "{'name':'Renamed','scope':'PLATFORM','providerId':'hashicorp','config':"
                + config.replace("}", ",'namespace':'team'}") + "}";

        // When
        var changed = server.post(ALL + "/" + id, changes, "Authorization", bearer);
        var refused = server.post(
                ALL + "/" + id, changes.replace(VaultServer.LOGIN_SECRET, "wrong"), "Authorization", bearer);
        var unknown = server.post(ALL + "/" + Ids.next(), changes, "Authorization", bearer);
        var foreign = server.post(ALL + "/" + id, changes, "Authorization", bearerOf(TestProjects.insert(database)));

        // Then
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(vault.namespace).isEqualTo("team");
        assertThat(json(changed).path("name").asText()).isEqualTo("Renamed");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(foreign.statusCode()).isEqualTo(404);
        assertThat(delete("/" + id).statusCode()).isEqualTo(204);
        assertThat(delete("/" + id).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            hashicorp | {'url':'vault.example.com','roleId':'a','secretId':'b'} | body/config/url Invalid URL
            hashicorp | {'url':'https://vault.example.com','roleId':'','secretId':'b'} | body/config/roleId required
            aws       | {'accessKeyId':'a','secretAccessKey':'b','region':'x.evil.com/'} | body/config/region Invalid string
            aws       | {} | body/config/accessKeyId Invalid input
            cyberark-conjur | {'url':'https://c'} | body/config/apiKey Invalid input
            onepassword | {} | body/config/serviceAccountToken Invalid input
            lastpass  | {} | body/providerId Invalid option
            aws       | 7 | body/config Invalid input: expected object
            """)
    void refuseMalformedFields_eachByName(String vendor, String config, String message) {
        // When
        var refused = create(vendor, config);

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("message").asText()).contains(message);
    }

    private HttpResponse<byte[]> create(String vendor, String config) {
        return create(vendor, "PLATFORM", "[]", config);
    }

    private HttpResponse<byte[]> create(String vendor, String scope, String projectIds, String config) {
        return server.post(
                ALL,
                "{'name':'Ours','scope':'" + scope + "','projectIds':" + projectIds + ",'providerId':'" + vendor
                        + "','config':" + config + "}",
                "Authorization",
                bearer);
    }

    private HttpResponse<byte[]> delete(String path) {
        return server.delete(ALL + path, "Authorization", bearer);
    }

    private JsonNode listed(String query) {
        return json(server.get(ALL + query, "Authorization", bearer));
    }

    private static String reference(HttpResponse<byte[]> manager, String path) {
        return "{{" + json(manager).path("id").asText() + "|ap_sep_v1|" + path + "}}";
    }

    private ObjectNode resolve(ObjectNode value) {
        return resolve(value, platformId, Optional.of(platformId));
    }

    private static ObjectNode resolve(ObjectNode value, String platformId, Optional<String> projectId) {
        return await(bus.ask(new SecretManagers.Resolve(platformId, projectId, value), DEADLINE_MS));
    }
}
