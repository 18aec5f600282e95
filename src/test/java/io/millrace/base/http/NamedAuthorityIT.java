package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Host header injection: the header sets neither the issuer of tokens nor the address that clients discover. */
final class NamedAuthorityIT {
    private static final String METADATA = "/.well-known/oauth-authorization-server";

    private static RawHttp.Answer get(TestServer server, String path, String host, String more) {
        try (var http = RawHttp.connect(server.port())) {
            return http.send("GET " + path + " HTTP/1.1\nHost: " + host + "\n" + more + "\n")
                    .answer();
        }
    }

    private static String issuer(TestServer server, String host, String more) throws Exception {
        var answer = get(server, METADATA, host, more);
        assertThat(answer.status()).isEqualTo(200);
        return Json.parse(answer.body()).path("issuer").asText();
    }

    private static String challenge(TestServer server, String host, String more) {
        var answer = get(server, "/mcp", host, more);
        assertThat(answer.status()).isEqualTo(401);
        return answer.headers().get("www-authenticate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:443", "127.0.0.1", "localhost", "[::1]"})
    void answersWithTheConfiguredAddress_withAnyHostHeader(String host) throws Exception {
        try (var server = TestServer.start(Map.of("AP_FRONTEND_URL", "https://mill.example.com/flows"))) {
            var forwarded = "X-Forwarded-Host: evil.example\n";

            assertThat(issuer(server, host, "")).isEqualTo("https://mill.example.com/flows");
            assertThat(issuer(server, host, forwarded)).isEqualTo("https://mill.example.com/flows");
            assertThat(challenge(server, host, forwarded))
                    .contains("https://mill.example.com/flows/.well-known/")
                    .doesNotContain("evil");
        }
    }

    @Test
    void believesOnlyWhatTheConnectionSaysToo_withoutAConfiguredAddress() throws Exception {
        try (var server = TestServer.start()) {
            // Given
            var usual = "http://localhost:" + server.port();

            // When, then
            assertThat(issuer(server, "127.0.0.1:" + server.port(), "")).isEqualTo("http://127.0.0.1:" + server.port());
            assertThat(issuer(server, "localhost:" + server.port(), "")).isEqualTo(usual);
            for (var foreign :
                    new String[] {"evil.example:" + server.port(), "evil.example", "127.0.0.2:" + server.port()}) {
                assertThat(issuer(server, foreign, "")).as(foreign).isEqualTo(usual);
                assertThat(challenge(server, foreign, "")).as(foreign).contains(usual + "/.well-known/");
            }
        }
    }

    @Test
    void believesATrustedProxyThatNamesTheHost_andNoOther() throws Exception {
        var forwarded = "X-Forwarded-Host: other.example, mill.example.com\n";
        try (var server = TestServer.start();
                var trustless = TestServer.start(Map.of("AP_TRUSTED_PROXIES", "none"))) {
            assertThat(issuer(server, "10.0.0.1", forwarded)).isEqualTo("http://mill.example.com");
            assertThat(issuer(server, "10.0.0.1", "X-Forwarded-Host: a b\n"))
                    .isEqualTo("http://localhost:" + server.port());
            assertThat(issuer(trustless, "10.0.0.1", forwarded)).isEqualTo("http://localhost:" + trustless.port());
        }
    }
}
