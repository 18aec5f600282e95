package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious discovery documents and responses of providers: memory exhaustion, SSRF and theft of other providers' codes. */
@HostileKind("OpenID provider")
class HostileDescriptionIT extends HostileProviderBench {
    private static final String DISCOVERY = "/tenant/.well-known/openid-configuration";

    /** An endless body is read up to the limit of a description. */
    @ParameterizedTest
    @ValueSource(strings = {DISCOVERY, "/tenant/keys", "/tenant/token", "/tenant/person"})
    void readsNoMoreThanItNeeds(String path) {
        var isClosed = new AtomicBoolean();
        oidc.instead.put(path, request -> endless(request, isClosed));

        if (path.equals(DISCOVERY)) {
            assertThat(login().status()).isEqualTo(503);
        } else {
            refused(enter(claims -> (ObjectNode) claims.without("email")));
        }
        Waiting.until("the connection is given up", isClosed::get);
        entersAgain();
    }

    private static void endless(HttpServerRequest request, AtomicBoolean isClosed) {
        var response = request.response().setChunked(true);
        request.connection().closeHandler(_ -> isClosed.set(true));
        var part = Buffer.buffer("{\"a\":\"" + "x".repeat(64 * 1024));
        writeOn(response, part, isClosed);
    }

    private static void writeOn(io.vertx.core.http.HttpServerResponse response, Buffer part, AtomicBoolean isClosed) {
        if (!isClosed.get()) {
            response.write(part).onSuccess(_ -> writeOn(response, part, isClosed));
        }
    }

    private static void redirects(String path, String location) {
        oidc.instead.put(
                path,
                request -> request.response()
                        .setStatusCode(307)
                        .putHeader("Location", location)
                        .end());
    }

    /** Redirects to internal addresses are not followed, and no secret is forwarded. */
    @ParameterizedTest
    @ValueSource(strings = {"/tenant/keys", "/tenant/token", "/tenant/person", DISCOVERY})
    void followsNoRedirects(String path) {
        for (var location : List.of(
                "http://169.254.169.254/latest/meta-data/", "http://127.0.0.2:" + inner.actualPort() + "/keys")) {
            redirects(path, location);
            if (path.equals(DISCOVERY)) {
                assertThat(login().status()).isEqualTo(503);
            } else {
                refused(enter(claims -> (ObjectNode) claims.without("email")));
            }
        }
        entersAgain();
    }

    @ParameterizedTest
    @ValueSource(strings = {"token_endpoint", "jwks_uri", "userinfo_endpoint"})
    void asksNoAddressThatADescriptionNames_whereItMayNot(String name) {
        for (var address : List.of("http://127.0.0.2:" + inner.actualPort() + "/x", "http://[::ffff:127.0.0.2]:1/x")) {
            describe(Json.object().put(name, address));
            refused(enter(claims -> (ObjectNode) claims.without("email")));
        }
        for (var address : List.of("file:///etc/passwd", "javascript:alert(1)", "gopher://127.0.0.1/")) {
            describe(Json.object().put(name, address));
            assertThat(login().status()).isEqualTo(503);
        }
        entersAgain();
    }

    private static void describe(ObjectNode changes) {
        var origin = oidc.issuer();
        var description = Json.object()
                .put("issuer", origin)
                .put("authorization_endpoint", origin + "/authorize")
                .put("token_endpoint", origin + "/token")
                .put("jwks_uri", origin + "/keys")
                .put("userinfo_endpoint", origin + "/person");
        description.setAll(changes);
        oidc.instead.put(DISCOVERY, request -> request.response().end(Json.text(description)));
    }

    private static void namesItself() {
        describe(Json.object().put("authorization_response_iss_parameter_supported", true));
    }

    /** Mix-up attack: a code of another provider must not be sent to this one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesACodeOfAnotherProvider_andForwardsItToNoServer(boolean isAnnounced) {
        if (isAnnounced) {
            namesItself();
        }
        for (var issuer : List.of(
                "https://accounts.example.com",
                oidc.issuer() + "/",
                oidc.issuer().toUpperCase(Locale.ROOT),
                oidc.issuer() + "%20",
                "null")) {
            // Given
            var begun = begin();
            var code = oidc.agree(begun.loginUrl(), ADA, claims -> claims);
            oidc.asked.clear();

            // Then
            refused(begun.claim(code, issuer));
            assertThat(oidc.asked).doesNotContain("/tenant/token");
        }
        entersWithItsName();
    }

    private static void entersWithItsName() {
        var begun = begin();
        var code = oidc.agree(begun.loginUrl(), ADA, claims -> claims);
        assertThat(begun.claim(code, oidc.issuer()).status()).isEqualTo(200);
    }

    @Test
    void refusesACodeOfNobody_whenTheProviderSaysThatItNamesItself() {
        // Given
        namesItself();
        var begun = begin();
        var code = oidc.agree(begun.loginUrl(), ADA, claims -> claims);
        oidc.asked.clear();

        // then a page of this server is refused, and so is a client that only knows the code
        refused(begun.claimOnOwnPage(code));
        assertThat(oidc.asked).doesNotContain("/tenant/token");
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
        entersWithItsName();
        describe(Json.object().put("authorization_response_iss_parameter_supported", false));
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
    }

    @Test
    void refusesAnIssuerThatIsNoText() {
        var begun = begin();
        assertThat(begun.claim("code", "").status()).isEqualTo(400);
        assertThat(begun.claim("code", "x".repeat(2_001)).status()).isEqualTo(400);
        assertThat(begun.claim("code", "x".repeat(2_000)).status()).isEqualTo(401);
    }

    @Test
    void refusesADescriptionOfAnotherIssuer() {
        describe(Json.object().put("issuer", "https://accounts.example.com"));
        assertThat(login().status()).isEqualTo(503);
        entersAgain();
    }
}
