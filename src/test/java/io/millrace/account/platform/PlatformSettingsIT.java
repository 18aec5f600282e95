package io.millrace.account.platform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlatformSettingsIT {
    private static final String ORIGINS = "/v1/embed-subdomain/allowed-embed-origins";
    private static final String CONFIGURATION = "/v1/platform-configurations";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_TELEMETRY_ENABLED", "false")
            .with("AP_ALLOWED_EMBED_ORIGINS", "https://everywhere.example.com")
            .start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn member = server.signUp("mel@example.com", "Mel", PlatformRole.MEMBER);
    private static ApiClient service = admin.withApiKey();

    private static ApiClient.Answer page() {
        return server.anonymous().atRoot().send("GET", "/sign-in", Map.of("Accept", "text/html"), "");
    }

    @Test
    void letsPagesBeEmbeddedByTheOriginsOfTheListAndOfTheSetting() {
        // When
        var before = page().headers();
        service.post(ORIGINS, json("{\"allowedEmbedOrigins\": [\"https://*.shop.example.com\"]}"));
        var after = page().headers();

        // Then
        assertThat(before.firstValue("Content-Security-Policy").orElseThrow())
                .contains("frame-ancestors 'self' https://everywhere.example.com");
        assertThat(after.firstValue("Content-Security-Policy").orElseThrow())
                .contains("frame-ancestors 'self' https://everywhere.example.com ")
                .contains("https://*.shop.example.com");
        assertThat(after.firstValue("X-Frame-Options")).isEmpty();
        assertThat(server.anonymous()
                        .get("/v1/flags")
                        .body()
                        .at("/ALLOWED_EMBED_ORIGINS")
                        .toString())
                .contains("https://everywhere.example.com", "https://*.shop.example.com");
        var docs = server.anonymous().get("/v1/docs").headers();
        assertThat(docs.firstValue("Content-Security-Policy").orElseThrow()).contains("frame-ancestors 'none'");
    }

    @Test
    void showsCloudAuthInItsFlags_asThePlatformHasIt() {
        // When
        var before = server.anonymous().get("/v1/flags").body().get("CLOUD_AUTH_ENABLED");
        admin.api().post(platform(), Json.object().put("cloudAuthEnabled", false));
        var after = server.anonymous().get("/v1/flags").body().get("CLOUD_AUTH_ENABLED");
        admin.api().post(platform(), Json.object().put("cloudAuthEnabled", true));

        // Then
        assertThat(before).isEqualTo(BooleanNode.TRUE);
        assertThat(after).isEqualTo(BooleanNode.FALSE);
        assertThat(server.anonymous().get("/v1/flags").body().get("CLOUD_AUTH_ENABLED"))
                .isEqualTo(BooleanNode.TRUE);
    }

    @Test
    void showsTheImagesThatWereUploaded_andForgetsThoseBefore() {
        // Given
        var png = "\u0089PNG\r\n\u001a\n and the rest".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        var fields = Map.of("name", "Mill", "pinnedPieces", "[\"a\"]", "emailAuthEnabled", "true");

        // When
        var first = admin.api().postForm(platform(), fields, "logoIcon", png);
        var second = admin.api().postForm(platform(), Map.of(), "logoIcon", png);
        var mine = member.api().postForm("/v1/users/me", Map.of(), "profilePicture", png);
        var script = admin.api().postForm(platform(), Map.of(), "favIcon", "<svg onload='x()'/>".getBytes(UTF_8));
        var noList = admin.api().postForm(platform(), Map.of("pinnedPieces", "a"), "logoIcon", png);

        // Then
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.text("/name")).isEqualTo("Mill");
        assertThat(first.body().at("/pinnedPieces")).isEqualTo(json("[\"a\"]"));
        var image = server.anonymous().get(asset(second.text("/logoIconUrl")));
        assertThat(image.status()).isEqualTo(200);
        assertThat(image.headers().firstValue("Content-Type")).contains("image/png");
        assertThat(image.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(server.anonymous().get(asset(first.text("/logoIconUrl"))).status())
                .isEqualTo(404);
        assertThat(mine.text("/email")).isEqualTo("mel@example.com");
        assertThat(server.anonymous().get(asset(mine.text("/imageUrl"))).status())
                .isEqualTo(200);
        assertThat(script.text("/message")).startsWith("body/favIcon Invalid input: expected an image");
        assertThat(noList.text("/message")).startsWith("body/pinnedPieces Invalid input: expected array");

        // When
        var gone = member.api().delete("/v1/users/me/profile-picture");

        // Then
        assertThat(gone.body()).isEqualTo(json("{\"success\": true}"));
        assertThat(server.anonymous().get(asset(mine.text("/imageUrl"))).status())
                .isEqualTo(404);
        assertThat(server.count("select count(*) from picture")).isEqualTo(1);
    }

    private static String asset(String url) {
        return url.substring("/api".length());
    }

    @Test
    void offersThePiecesThatPlatformAndProjectAllow() {
        // Given
        var http = "@activepieces/piece-http";
        var store = "@activepieces/piece-store";
        var project = "/v1/projects/" + admin.projectId();

        // When
        admin.api().post(platform(), json("{\"filteredPieceNames\": [\"" + http + "\"]}"));
        admin.api()
                .post(
                        project,
                        json("{\"plan\": {\"piecesFilterType\": \"ALLOWED\", \"pieces\": [\"" + store + "\", \"" + http
                                + "\"]}}"));

        // Then
        assertThat(offered(member.api(), "")).contains(store).doesNotContain(http);
        assertThat(offered(member.api(), "?includeHidden=true")).contains(http, store);
        assertThat(offered(admin.api(), "?projectId=" + admin.projectId())).containsExactly(store);
        assertThat(offered(admin.api(), "?includeHidden=true&projectId=" + admin.projectId()))
                .containsExactlyInAnyOrder(http, store);
        assertThat(offered(admin.api(), "?projectId=" + server.foreignProject()))
                .hasSizeGreaterThan(5);
        assertThat(offered(server.anonymous(), "")).contains(http);

        // When
        admin.api().post(platform(), json("{\"filteredPieceBehavior\": \"ALLOWED\"}"));

        // Then
        assertThat(offered(member.api(), "")).containsExactly(http);
        admin.api().post(platform(), json("{\"filteredPieceNames\": [], \"filteredPieceBehavior\": \"BLOCKED\"}"));
        admin.api().post(project, json("{\"plan\": {\"piecesFilterType\": \"NONE\"}}"));
        assertThat(offered(admin.api(), "?projectId=" + admin.projectId())).contains(http);
    }

    private static List<String> offered(ApiClient api, String query) {
        return api.get("/v1/pieces" + query).body().findValuesAsText("name");
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
