package io.millrace.account.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ChannelClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookie sessions of the console: issue of the cookie and the requests for which it is accepted. */
class PageSessionIT {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static String own = "http://localhost:" + server.port();

    private static Map<String, String> with(Map<String, String> headers, String... more) {
        var all = new HashMap<>(headers);
        for (var index = 0; index < more.length; index += 2) {
            all.put(more[index], more[index + 1]);
        }
        return all;
    }

    private static Answer signIn(Map<String, String> headers) {
        var body = Json.object().put("email", "ada@example.com").put("password", "correct horse");
        return server.anonymous()
                .send(
                        "POST",
                        "/v1/authentication/sign-in",
                        with(headers, "Content-Type", "application/json"),
                        Json.text(body));
    }

    private static Map<String, String> fromOwnPage() {
        return Map.of("Origin", own, "X-Session", "cookie");
    }

    private static String session() {
        var cookie = signIn(fromOwnPage()).headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private static Answer read(Map<String, String> headers) {
        return server.anonymous().send("GET", "/v1/users/me", headers, "");
    }

    private static Answer write(Map<String, String> headers) {
        var body = Json.object().put("projectId", ada.projectId()).put("displayName", "Folder " + Ids.next());
        return server.anonymous()
                .send("POST", "/v1/folders", with(headers, "Content-Type", "application/json"), Json.text(body));
    }

    private static long folders() {
        return server.count("select count(*) from folder");
    }

    @Test
    void givesThePageACookieThatNoScriptReads_andNoToken() {
        var answer = signIn(fromOwnPage());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().has("token")).isFalse();
        assertThat(answer.text("/email")).isEqualTo("ada@example.com");
        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("millrace_session=ey")
                .contains("; Path=/", "; HTTPOnly", "; SameSite=Lax", "; Max-Age=604800;")
                .doesNotContain("; Secure");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void givesClientsATokenAsBefore() {
        for (var headers : List.of(
                Map.<String, String>of(),
                Map.of("Origin", own),
                Map.of("X-Session", "cookie"),
                Map.of("X-Session", "cookie", "Origin", "https://elsewhere.example"),
                Map.of("X-Session", "cookie", "Origin", "null"))) {
            var answer = signIn(headers);

            assertThat(answer.text("/token")).startsWith("ey");
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void knowsThePageByItsCookie() {
        var cookie = Map.of("Cookie", session());
        var before = folders();

        assertThat(read(cookie).text("/email")).isEqualTo("ada@example.com");
        assertThat(read(with(cookie, "Sec-Fetch-Site", "same-origin")).status()).isEqualTo(200);
        assertThat(read(with(cookie, "Sec-Fetch-Site", "none")).status()).isEqualTo(200);
        assertThat(write(with(cookie, "Origin", own, "X-Session", "cookie")).status())
                .isEqualTo(200);
        assertThat(write(with(cookie, "Origin", "http://127.0.0.1:" + server.port(), "X-Session", "cookie"))
                        .status())
                .isEqualTo(200);
        assertThat(write(with(cookie, "Sec-Fetch-Site", "same-origin", "X-Session", "cookie"))
                        .status())
                .isEqualTo(200);
        assertThat(folders()).isEqualTo(before + 3);
    }

    /** Origin of another site, none, another port of this host, the other scheme, and lookalikes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://elsewhere.example",
                "null",
                "http://localhost:1",
                "http://localhost",
                "http://localhost.example",
                "http://elsewhere.localhost",
                "",
                "http://localhost:80808"
            })
    void doesNothingForAnotherOrigin(String origin) {
        // Given
        var cookie = Map.of("Cookie", session(), "Origin", origin);
        var before = folders();

        // When
        var written = write(with(cookie, "X-Session", "cookie"));
        var read = read(cookie);
        var sameSite = read(with(cookie, "Sec-Fetch-Site", "same-site"));
        var out = server.anonymous().send("POST", "/v1/authentication/sign-out", cookie, "");

        // Then
        for (var answer : List.of(written, read, sameSite, out)) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(answer.headers().firstValue("Access-Control-Allow-Credentials"))
                    .isEmpty();
        }
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void doesNothingForWhatAFormOrAnImageOfAnotherSiteCanSend() {
        // Given
        var cookie = Map.of("Cookie", session());
        var before = folders();

        // When, then
        assertThat(write(cookie).status()).isEqualTo(403);
        assertThat(write(with(cookie, "Origin", own)).status()).isEqualTo(403);
        assertThat(write(with(cookie, "X-Session", "cookie")).status()).isEqualTo(403);
        assertThat(write(with(cookie, "X-Session", "cookie", "Sec-Fetch-Site", "cross-site"))
                        .status())
                .isEqualTo(403);
        assertThat(write(with(cookie, "X-Session", "cookie", "Sec-Fetch-Site", "none"))
                        .status())
                .isEqualTo(403);
        for (var site : List.of("cross-site", "same-site")) {
            assertThat(read(with(cookie, "Sec-Fetch-Site", site)).status()).isEqualTo(403);
        }
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void believesABearerTokenBeforeTheCookie_andNoneOfTwoCookies() {
        var eve = server.signUp("eve@example.com", "Eve");
        var cookie = session();

        assertThat(eve.api()
                        .send("GET", "/v1/users/me", Map.of("Cookie", cookie), "")
                        .text("/email"))
                .isEqualTo("eve@example.com");
        assertThat(read(Map.of("Cookie", cookie, "Authorization", "Bearer nonsense"))
                        .status())
                .isEqualTo(401);
        assertThat(read(Map.of("Cookie", cookie, "Authorization", "Basic eDp5")).status())
                .isEqualTo(403);
        assertThat(read(Map.of("Cookie", "millrace_session=" + eve.api().token() + "; " + cookie))
                        .status())
                .isEqualTo(403);
    }

    /** A browser continues to send the cookie of an ended session. */
    @Test
    void servesPublicRoutes_withAnyCookie() {
        var ended = Map.of("Cookie", "millrace_session=nonsense");

        assertThat(read(ended).status()).isEqualTo(401);
        assertThat(server.anonymous().send("GET", "/v1/flags", ended, "").status())
                .isEqualTo(200);
        assertThat(server.anonymous().send("GET", "/v1/templates", ended, "").status())
                .isEqualTo(server.anonymous().get("/v1/templates").status());
    }

    @Test
    void signsOut() {
        var answer = server.anonymous()
                .send("POST", "/v1/authentication/sign-out", Map.of("Cookie", session(), "Origin", own), "");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("millrace_session=;")
                .contains("Max-Age=0;", "Path=/");
    }

    @Test
    void letsAPageIntoTheChannel_andNoOther() {
        for (var origin : List.of(own, "http://localhost:1", "null", "")) {
            try (var channel = ChannelClient.open(server.port(), with(Map.of("Cookie", session()), "Origin", origin))) {
                channel.connect("", ada.projectId());

                assertThat(channel.await("4").startsWith("40")).as(origin).isEqualTo(origin.equals(own));
            }
        }
    }

    @Test
    void marksTheCookieSecure_whenTheAddressIsEncrypted() {
        var secure = server.successor(Map.of("AP_FRONTEND_URL", "https://mill.example"));
        try {
            var body = Json.text(Json.object().put("email", "ada@example.com").put("password", "correct horse"));
            ApiClient client = secure.anonymous();
            var headers = with(JSON, "X-Session", "cookie");

            assertThat(client.send(
                                    "POST",
                                    "/v1/authentication/sign-in",
                                    with(headers, "Origin", "https://mill.example"),
                                    body)
                            .headers()
                            .firstValue("Set-Cookie")
                            .orElseThrow())
                    .contains("; Secure");
            assertThat(client.send(
                                    "POST",
                                    "/v1/authentication/sign-in",
                                    with(headers, "Origin", "http://localhost:" + secure.port()),
                                    body)
                            .text("/token"))
                    .isNotEmpty();
        } finally {
            secure.stopServer();
        }
    }
}
