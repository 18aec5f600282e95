package io.millrace.platform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.access.PlatformRole;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlatformSettingsIT {
    private static final String ORIGINS = "/v1/embed-subdomain/allowed-embed-origins";
    private static final String CONFIGURATION = "/v1/platform-configurations";

    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static TestServer.SignedIn member;
    private static ApiClient service;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true", "AP_TELEMETRY_ENABLED", "false"));
        admin = server.signUp("ada@example.com", "Ada");
        member = server.signUp("mel@example.com", "Mel");
        server.give(member, PlatformRole.MEMBER);
        var key = admin.api().post("/v1/api-keys", Json.object().put("displayName", "robot"));
        service = server.anonymous().with(key.text("/value"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void changesWhatIsNamedAndKeepsTheRest() {
        // When
        var answer = admin.api().post(platform(), json("""
                {"name": "Mill Works", "primaryColor": "#abc", "themeColors": {"primary": {"dark": "#112233"}},
                 "allowedAuthDomains": [" Example.COM ", "example.com"], "pinnedPieces": ["@activepieces/piece-http"],
                 "googleAuthEnabled": false, "unknown": 1,
                 "pieceSelectorConfig": {"tabs": [{"id": "t", "kind": "CUSTOM", "title": "Mine", "hidden": false}]}}
                """));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/name")).isEqualTo("Mill Works");
        assertThat(answer.text("/primaryColor")).isEqualTo("#abc");
        assertThat(answer.body().at("/allowedAuthDomains")).isEqualTo(json("[\"example.com\"]"));
        assertThat(answer.body().at("/googleAuthEnabled").asBoolean()).isFalse();
        assertThat(answer.body().at("/emailAuthEnabled").asBoolean()).isTrue();
        assertThat(answer.body().has("unknown")).isFalse();
        assertThat(admin.api().get(platform()).body()).isEqualTo(answer.body());

        // When
        var cleared = admin.api().post(platform(), json("{\"themeColors\": null, \"pieceSelectorConfig\": null}"));

        // Then
        assertThat(cleared.body().at("/themeColors").isNull()).isTrue();
        assertThat(cleared.text("/name")).isEqualTo("Mill Works");
    }

    static Stream<Arguments> malformedChanges() {
        return Stream.of(
                Arguments.of("{\"name\": \"a.b\"}", "body/name Invalid string"),
                Arguments.of("{\"name\": 7}", "body/name Invalid input: expected string"),
                Arguments.of("{\"primaryColor\": \"red\"}", "body/primaryColor invalidHexColor"),
                Arguments.of(
                        "{\"themeColors\": {\"warn\": {\"dark\": 1}}}", "body/themeColors/warn/dark invalidHexColor"),
                Arguments.of("{\"filteredPieceBehavior\": \"SOME\"}", "body/filteredPieceBehavior Invalid option"),
                Arguments.of("{\"emailAuthEnabled\": \"yes\"}", "body/emailAuthEnabled Invalid input"),
                Arguments.of("{\"allowedAuthDomains\": [\"@x\"]}", "body/allowedAuthDomains/0 Invalid string"),
                Arguments.of(
                        "{\"allowedEmbedOrigins\": [\"ftp://a.com\"]}",
                        "body/allowedEmbedOrigins/0 invalidEmbedOrigin"),
                Arguments.of("{\"pieceSelectorConfig\": {}}", "body/pieceSelectorConfig/tabs Invalid input"),
                Arguments.of(
                        "{\"pieceSelectorConfig\": {\"tabs\": [{\"id\": \"a\", \"kind\": \"CUSTOM\", \"hidden\": true}]}}",
                        "body/pieceSelectorConfig/tabs/0/title"));
    }

    @ParameterizedTest
    @MethodSource("malformedChanges")
    void refusesMalformedChanges_andNamesTheField(String body, String message) {
        var before = admin.api().get(platform()).body();

        var answer = admin.api().post(platform(), json(body));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/message")).startsWith(message);
        assertThat(admin.api().get(platform()).body()).isEqualTo(before);
    }

    @Test
    void refusesChanges_whenTheCallerIsNoAdministratorOrThePlatformAnother() {
        var name = Json.object().put("name", "Mine");

        assertThat(member.api().post(platform(), name).status()).isEqualTo(403);
        assertThat(service.post(platform(), name).status()).isEqualTo(403);
        assertThat(server.anonymous().post(platform(), name).status()).isEqualTo(403);
        assertThat(admin.api().post("/v1/platforms/" + Ids.next(), name).status())
                .isEqualTo(403);
    }

    @Test
    void addsEmbedOrigins_andAnswersTheWholeList() {
        // Given
        admin.api().post(platform(), json("{\"allowedEmbedOrigins\": [\"https://old.example.com\"]}"));

        // When
        var answer = service.post(
                ORIGINS, json("{\"allowedEmbedOrigins\": [\"https://new.example.com\", \"https://old.example.com\"]}"));

        // Then
        var all = json("[\"https://old.example.com\", \"https://new.example.com\"]");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(Json.object().set("allowedEmbedOrigins", all));
        assertThat(admin.api().get(platform()).body().at("/allowedEmbedOrigins"))
                .isEqualTo(all);
        assertThat(server.anonymous().get("/v1/flags").body().at("/ALLOWED_EMBED_ORIGINS"))
                .isEqualTo(all);
    }

    @Test
    void refusesEmbedOrigins_thatAreMalformedOrTooMany() {
        var empty = service.post(ORIGINS, json("{\"allowedEmbedOrigins\": []}"));
        var missing = service.post(ORIGINS, Json.object());
        var malformed =
                service.post(ORIGINS, json("{\"allowedEmbedOrigins\": [\"https://a.com\", \"https://a.com/\"]}"));
        var fiftyOne = Json.object();
        var list = fiftyOne.putArray("allowedEmbedOrigins");
        for (var number = 0; number < 51; number++) {
            list.add("https://a" + number + ".example");
        }
        var user = admin.api().post(ORIGINS, json("{\"allowedEmbedOrigins\": [\"https://a.com\"]}"));

        assertThat(empty.text("/message")).isEqualTo("body/allowedEmbedOrigins invalidEmbedOrigin");
        assertThat(missing.text("/message")).startsWith("body/allowedEmbedOrigins Invalid input: expected array");
        assertThat(malformed.text("/message")).isEqualTo("body/allowedEmbedOrigins/1 invalidEmbedOrigin");
        assertThat(service.post(ORIGINS, fiftyOne).status()).isEqualTo(400);
        assertThat(user.status()).isEqualTo(403);
        assertThat(user.text("/code")).isEqualTo("AUTHORIZATION");
    }

    @Test
    void makesTelemetrySettingsAtTheFirstRead_fromTheServersSetting() {
        // When
        var firsts = Stream.generate(() -> member.api().getAsync(CONFIGURATION)).limit(8).toList().stream()
                .map(java.util.concurrent.CompletableFuture::join)
                .toList();

        // Then
        assertThat(firsts).extracting(ApiClient.Answer::status).containsOnly(200);
        assertThat(firsts)
                .extracting(answer -> answer.text("/id"))
                .containsOnly(firsts.getFirst().text("/id"));
        assertThat(firsts.getFirst().body().at("/isProductTelemetryEnabled").asBoolean())
                .isFalse();
        assertThat(firsts.getFirst().body().at("/isInfraSetupTelemetryEnabled").asBoolean())
                .isTrue();

        // When
        var changed = admin.api().post(CONFIGURATION, json("{\"isProductTelemetryEnabled\": true}"));

        // Then
        assertThat(changed.body().at("/isProductTelemetryEnabled").asBoolean()).isTrue();
        assertThat(member.api().get(CONFIGURATION).body()).isEqualTo(changed.body());
        assertThat(member.api().post(CONFIGURATION, Json.object()).status()).isEqualTo(403);
        assertThat(service.get(CONFIGURATION).status()).isEqualTo(403);
        assertThat(admin.api()
                        .post(CONFIGURATION, json("{\"isProductTelemetryEnabled\": 1}"))
                        .status())
                .isEqualTo(400);
    }

    private static String platform() {
        return "/v1/platforms/" + admin.platformId();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text);
    }
}
