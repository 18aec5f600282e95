package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Server whose users sign in with a malicious provider on this host. */
abstract class HostileProviderBench {
    static final String ADA = "ada@corp.example";
    static OidcPeer oidc;
    static TestServer server;
    static Vertx vertx;
    static HttpServer inner;

    /** Requests received by the attacker's servers and by a server that no URL may reach. */
    static final List<String> ELSEWHERE = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        oidc = new OidcPeer(() -> server.clock().instant());
        inner = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> {
                    ELSEWHERE.add(request.uri());
                    request.response().end(Json.text(OidcPeer.keys()));
                })
                .listen(0, "127.0.0.2"));
        server = ServerSettings.localCalls()
                .with("AP_GOOGLE_CLIENT_ID", "mill")
                .with("AP_GOOGLE_CLIENT_SECRET", "a/secret")
                .with("AP_GOOGLE_ISSUER_URL", oidc.issuer())
                .with("AP_API_RATE_LIMIT_AUTHN_MAX", "1000")
                .start();
        server.signUp(ADA, "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        oidc.close();
        Waiting.await(vertx.close());
    }

    @AfterEach
    void calm() {
        oidc.signed = token -> token;
        oidc.instead.clear();
        oidc.told = Json.object();
        assertThat(ELSEWHERE).isEmpty();
    }

    record Begun(String loginUrl, String cookie) {
        ApiClient.Answer claim(String code) {
            return claim(code, null);
        }

        /** @param issuer issuer that the provider sends with the code; null for none */
        ApiClient.Answer claim(String code, String issuer) {
            return claim(code, issuer, Map.of());
        }

        /** Like the sign-in page of this server. */
        ApiClient.Answer claimOnOwnPage(String code) {
            return claim(code, null, Map.of("X-Session", "cookie", "Sec-Fetch-Site", "same-origin"));
        }

        private ApiClient.Answer claim(String code, String issuer, Map<String, String> more) {
            var state = OidcPeer.query(URI.create(loginUrl).getRawQuery()).get("state");
            var body = Json.object()
                    .put("providerName", "google")
                    .put("code", code)
                    .put("state", state);
            if (issuer != null) {
                body.put("iss", issuer);
            }
            var headers = new HashMap<>(more);
            headers.putAll(Map.of("Content-Type", "application/json", "Cookie", cookie));
            return server.anonymous().send("POST", "/v1/authn/federated/claim", headers, Json.text(body));
        }
    }

    static ApiClient.Answer login() {
        return server.anonymous().get("/v1/authn/federated/login?providerName=google");
    }

    static Begun begin() {
        var answer = login();
        assertThat(answer.status()).isEqualTo(200);
        var cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        return new Begun(answer.text("/loginUrl"), cookie.substring(0, cookie.indexOf(';')));
    }

    static ApiClient.Answer enter(UnaryOperator<ObjectNode> change) {
        var begun = begin();
        return begun.claim(oidc.agree(begun.loginUrl(), ADA, change));
    }

    static void refused(ApiClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_CREDENTIALS");
    }

    static void entersAgain() {
        oidc.signed = token -> token;
        oidc.instead.clear();
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
    }
}
