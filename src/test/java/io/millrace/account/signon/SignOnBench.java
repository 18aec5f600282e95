package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.net.URI;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Server whose users sign in with identity providers on this host. */
abstract class SignOnBench {
    static OidcPeer oidc;
    static TestServer server;
    static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        oidc = new OidcPeer(() -> SignOnIT.server.clock().instant());
        server = ServerSettings.localCalls()
                .with("AP_GOOGLE_CLIENT_ID", "mill")
                .with("AP_GOOGLE_CLIENT_SECRET", "a/secret")
                .with("AP_GOOGLE_ISSUER_URL", oidc.issuer())
                .start();
        admin = server.signUp("ada@corp.example", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        oidc.close();
    }

    @AfterEach
    void calm() {
        oidc.signed = token -> token;
        oidc.holdsKeys = false;
    }

    /** A browser: the address of its last redirect, and its cookie. */
    record SignOnAttempt(String loginUrl, String cookie) {
        static SignOnAttempt begin(String provider) {
            var answer = server.anonymous().get("/v1/authn/federated/login?providerName=" + provider);
            assertThat(answer.status()).isEqualTo(200);
            var cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Lax");
            return new SignOnAttempt(answer.text("/loginUrl"), cookie.substring(0, cookie.indexOf(';')));
        }

        ApiClient.Answer claim(String provider, String code, String state) {
            var body = Json.object().put("providerName", provider).put("code", code);
            if (state != null) {
                body.put("state", state);
            }
            return server.anonymous()
                    .send(
                            "POST",
                            "/v1/authn/federated/claim",
                            Map.of("Content-Type", "application/json", "Cookie", cookie),
                            Json.text(body));
        }

        String state() {
            return OidcPeer.query(URI.create(loginUrl).getRawQuery()).get("state");
        }
    }

    static ApiClient.Answer enter(String provider, String email, UnaryOperator<ObjectNode> change) {
        var browser = SignOnAttempt.begin(provider);
        return browser.claim(provider, oidc.agree(browser.loginUrl(), email, change), browser.state());
    }

    static ApiClient.Answer change(JsonNode changes) {
        return admin.api().post("/v1/platforms/" + admin.platformId(), changes);
    }
}
