package io.millrace.account.identity.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ApiKeyIT {
    private static final String KEYS = "/v1/api-keys";

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start();

    private TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void showsTheValueOnce_whenAKeyIsMade() {
        // When
        var made = admin.api().post(KEYS, Json.object().put("displayName", "deploy"));
        var listed = admin.api().get(KEYS);

        // Then
        var value = made.text("/value");
        assertThat(made.status()).isEqualTo(201);
        assertThat(value).matches("sk-[0-9A-Za-z]{61}");
        assertThat(made.text("/truncatedValue")).isEqualTo(value.substring(60));
        assertThat(made.body().path("lastUsedAt").isNull()).isTrue();
        assertThat(listed.body().at("/data")).hasSize(1);
        assertThat(listed.body().at("/data/0").has("value")).isFalse();
        assertThat(listed.body().at("/next").isNull()).isTrue();
        assertThat(server.count("select count(*) from api_key where hashed_value like '%' || $1 || '%'", value))
                .isZero();
    }

    @Test
    void actsForThePlatform_untilItIsDeleted() {
        // Given
        var made = admin.api().post(KEYS, Json.object().put("displayName", "deploy"));
        var api = server.anonymous().with(made.text("/value"));
        var path = "/v1/projects/" + admin.projectId();

        // When
        var before = api.get(path);
        var deleted = admin.api().delete(KEYS + "/" + made.text("/id"));
        var after = api.get(path);
        var again = admin.api().delete(KEYS + "/" + made.text("/id"));

        // Then
        assertThat(before.status()).isEqualTo(200);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(after.status()).isEqualTo(401);
        assertThat(after.text("/code")).isEqualTo("AUTHENTICATION");
        assertThat(after.text("/params/message")).isEqualTo("invalid api key");
        assertThat(again.status()).isEqualTo(404);
    }

    @Test
    void recordsItsUse_onceAMinute() {
        // Given
        var made = admin.api().post(KEYS, Json.object().put("displayName", "deploy"));
        var api = server.anonymous().with(made.text("/value"));
        var path = "/v1/projects/" + admin.projectId();
        var first = "2026-03-09T12:34:56.789Z";

        // When
        api.get(path);
        assertThat(lastUsedAt()).isEqualTo(first);
        server.clock().advance(Duration.ofSeconds(59));
        api.get(path);
        var within = lastUsedAt();
        server.clock().advance(Duration.ofSeconds(1));
        api.get(path);

        // Then
        assertThat(within).isEqualTo(first);
        Waiting.until("the next use is recorded", () -> lastUsedAt().equals("2026-03-09T12:35:56.789Z"));
    }

    @Test
    void isManagedByAdministratorsOnly() {
        // Given
        var member = server.signUp("bob@example.com", "Bob");
        var made = admin.api().post(KEYS, Json.object().put("displayName", "deploy"));
        var key = server.anonymous().with(made.text("/value"));
        var request = Json.object().put("displayName", "another");

        // When
        var byMember = member.api().post(KEYS, request);
        var byKey = key.post(KEYS, request);
        var byNobody = server.anonymous().get(KEYS);
        var nameless = admin.api().post(KEYS, Json.object());

        // Then
        assertThat(byMember.status()).isEqualTo(403);
        assertThat(byKey.status()).isEqualTo(403);
        assertThat(byKey.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(byNobody.status()).isEqualTo(403);
        assertThat(nameless.status()).isEqualTo(400);
        assertThat(server.count("select count(*) from api_key")).isEqualTo(1);
    }

    @Test
    void doesOnlyWhatItsScopesName() {
        // Given
        var flows = key(Json.trusted("{\"displayName\": \"flows\", \"scopes\": [\"READ_FLOW\", \"WRITE_FLOW\"]}"));
        var reader = key(Json.trusted("{\"displayName\": \"people\", \"scopes\": [\"READ_PLATFORM\"]}"));
        var flow = Json.object().put("displayName", "Flow").put("projectId", admin.projectId());
        var query = "?projectId=" + admin.projectId();

        // Then
        assertThat(flows.post("/v1/flows", flow).status()).isEqualTo(201);
        assertThat(flows.get("/v1/variables" + query).text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(flows.get("/v1/variables" + query).text("/params/permission"))
                .isEqualTo("READ_VARIABLE");
        assertThat(flows.get("/v1/users").text("/params/message"))
                .isEqualTo("the api key lacks the scope READ_PLATFORM");
        assertThat(reader.get("/v1/users").status()).isEqualTo(200);
        assertThat(reader.get("/v1/flows" + query).status()).isEqualTo(403);
        assertThat(reader.post("/v1/projects", Json.object().put("displayName", "No"))
                        .text("/params/message"))
                .isEqualTo("the api key lacks the scope WRITE_PLATFORM");
        assertThat(admin.api().get(KEYS).body().findValues("scopes").stream().map(JsonNode::toString))
                .containsExactlyInAnyOrder("[\"READ_FLOW\",\"WRITE_FLOW\"]", "[\"READ_PLATFORM\"]");
    }

    @Test
    void ends_whenItExpires() {
        // Given
        var request = Json.object().put("displayName", "short").put("expiresAt", "2026-03-09T13:00:00Z");
        var api = key(request);
        var path = "/v1/projects/" + admin.projectId();

        // Then
        assertThat(api.get(path).status()).isEqualTo(200);
        server.clock().advance(Duration.ofMinutes(26));
        assertThat(api.get(path).status()).isEqualTo(401);
        assertThat(api.get(path).text("/params/message")).isEqualTo("the api key has expired");
        assertThat(admin.api().post(KEYS, request).text("/message")).startsWith("body/expiresAt ");
        assertThat(admin.api()
                        .post(KEYS, Json.trusted("{\"displayName\": \"x\", \"scopes\": []}"))
                        .text("/message"))
                .startsWith("body/scopes Too small");
        assertThat(admin.api()
                        .post(KEYS, Json.trusted("{\"displayName\": \"x\", \"scopes\": [\"ALL\"]}"))
                        .text("/message"))
                .startsWith("body/scopes/0 Invalid option");
    }

    private ApiClient key(JsonNode request) {
        var made = admin.api().post(KEYS, request);
        assertThat(made.status()).isEqualTo(201);
        return server.anonymous().with(made.text("/value"));
    }

    @Test
    void isUnknown_whenItWasNeverMade() {
        // When
        var answer = server.anonymous().with("sk-" + Ids.random(61)).get(KEYS);

        // Then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("AUTHENTICATION");
    }

    private String lastUsedAt() {
        return admin.api().get(KEYS).text("/data/0/lastUsedAt");
    }
}
