package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenID providers, and forgers of their tokens, that want in, or that want this server's time, memory or neighbours. */
@Tag("hostile")
class HostileProviderIT {
    private static final String DISCOVERY = "/tenant/.well-known/openid-configuration";
    private static final String ADA = "ada@corp.example";

    private static OidcPeer oidc;
    private static TestServer server;
    private static Vertx vertx;

    /** Servers of the forger, and one that no URL may lead to; what they were asked for. */
    private static final List<String> ELSEWHERE = new CopyOnWriteArrayList<>();

    private static HttpServer inner;

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
        server = TestServer.start(Map.of(
                "AP_GOOGLE_CLIENT_ID", "mill",
                "AP_GOOGLE_CLIENT_SECRET", "a/secret",
                "AP_GOOGLE_ISSUER_URL", oidc.issuer(),
                "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                "AP_API_RATE_LIMIT_AUTHN_MAX", "1000"));
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

    private record Begun(String loginUrl, String cookie) {
        ApiClient.Answer claim(String code) {
            return claim(code, null);
        }

        /** @param issuer what the provider named itself beside the code; null when it did not */
        ApiClient.Answer claim(String code, String issuer) {
            return claim(code, issuer, Map.of());
        }

        /** As the sign-in page of this server does. */
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

    private static ApiClient.Answer login() {
        return server.anonymous().get("/v1/authn/federated/login?providerName=google");
    }

    private static Begun begin() {
        var answer = login();
        assertThat(answer.status()).isEqualTo(200);
        var cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        return new Begun(answer.text("/loginUrl"), cookie.substring(0, cookie.indexOf(';')));
    }

    private static ApiClient.Answer enter(UnaryOperator<ObjectNode> change) {
        var begun = begin();
        return begun.claim(oidc.agree(begun.loginUrl(), ADA, change));
    }

    private static void refused(ApiClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_CREDENTIALS");
    }

    private static void entersAgain() {
        oidc.signed = token -> token;
        oidc.instead.clear();
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String withHead(String token, ObjectNode head) {
        return encoded(Json.bytes(head)) + token.substring(token.indexOf('.'));
    }

    private static String signedBy(byte[] secret, ObjectNode head, String token) {
        var text = encoded(Json.bytes(head)) + "." + token.split("\\.")[1];
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return text + "." + encoded(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static ObjectNode head(String algorithm) {
        return Json.object().put("alg", algorithm).put("typ", "JWT");
    }

    /** The public key as secret of a code, in each form in which a library may keep it; and the empty one of a file. */
    @Test
    void refusesATokenWhoseSecretIsPublic() {
        var key = OidcPeer.PAIR.getPublic().getEncoded();
        var pem = "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PUBLIC KEY-----";
        var modulus = OidcPeer.keys().at("/keys/0/n").asText();
        for (var secret : List.of(
                key,
                pem.getBytes(StandardCharsets.US_ASCII),
                (pem + "\n").getBytes(StandardCharsets.US_ASCII),
                modulus.getBytes(StandardCharsets.US_ASCII),
                Base64.getUrlDecoder().decode(modulus),
                new byte[] {0})) {
            for (var name : List.of("k1", "../../../../dev/null", "' or 1=1 --", "http://127.0.0.2/")) {
                oidc.signed = token -> signedBy(secret, head("HS256").put("kid", name), token);
                refused(enter(claims -> claims));
            }
        }
        entersAgain();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "", "HS256", "HS512", "RS1", "EdDSA", "ES256"})
    void refusesATokenThatNamesAnotherAlgorithm(String algorithm) {
        oidc.signed = token -> withHead(token, head(algorithm).put("kid", "k1"));
        refused(enter(claims -> claims));
        oidc.signed = token -> withHead(token.substring(0, token.lastIndexOf('.') + 1), head(algorithm));
        refused(enter(claims -> claims));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", ".e30"})
    void refusesATokenThatSomethingFollows(String rest) {
        oidc.signed = token -> token + rest;
        refused(enter(claims -> claims));
        oidc.signed = token -> token.substring(0, token.lastIndexOf('.') + 1) + rest;
        refused(enter(claims -> claims));
        entersAgain();
    }

    /** A token must not bring the key by which it is believed, nor say where the key is. */
    @Test
    void takesNoKeyFromTheToken() {
        var forger = io.millrace.base.secret.RsaKeys.generate(2048);
        var address = "http://127.0.0.2:" + inner.actualPort() + "/keys";
        for (var change : List.<UnaryOperator<ObjectNode>>of(
                head -> head.put("jku", address),
                head -> head.put("x5u", address),
                head -> head.set("jwk", OidcPeer.keys().at("/keys/0")),
                head -> (ObjectNode) head.set(
                        "x5c", Json.array().add(encoded(forger.getPublic().getEncoded()))),
                head -> (ObjectNode) head.set("crit", Json.array().add("b64")))) {
            oidc.signed = token -> {
                var claims = RsaToken.parse(token).orElseThrow().claims();
                var head = change.apply(head("RS256").put("kid", "k1"));
                var text = encoded(Json.bytes(head)) + "." + encoded(Json.bytes(claims));
                return text + "." + signature(forger.getPrivate(), text);
            };
            refused(enter(claims -> claims));
        }
        entersAgain();
    }

    private static String signature(java.security.PrivateKey key, String text) {
        try {
            var signer = java.security.Signature.getInstance("SHA256withRSA");
            signer.initSign(key);
            signer.update(text.getBytes(StandardCharsets.US_ASCII));
            return encoded(signer.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void refusesWhatAsksForAnExtension_thoughTheProviderSignedIt() {
        oidc.signed = token -> {
            var head = head("RS256").put("kid", "k1");
            head.putArray("crit").add("exp");
            var text = encoded(Json.bytes(head)) + "." + token.split("\\.")[1];
            return text + "." + signature(OidcPeer.PAIR.getPrivate(), text);
        };
        refused(enter(claims -> claims));
    }

    /** A body that has no end is read no further than a description is long. */
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

    private static ObjectNode keySet(ArrayNode keys) {
        return Json.object().set("keys", keys);
    }

    private static void showKeys(ObjectNode set) {
        oidc.instead.put("/tenant/keys", request -> request.response().end(Json.text(set)));
    }

    @Test
    void refusesMoreKeysThanAProviderHas() {
        // Given
        var keys = Json.array();
        for (var index = 1; index < ProviderKeys.KEYS_MAX; index++) {
            keys.addObject()
                    .put("kty", "RSA")
                    .put("kid", "other-" + index)
                    .put("n", "AQAB")
                    .put("e", "AQAB");
        }
        keys.add(OidcPeer.keys().at("/keys/0"));

        // Then
        showKeys(keySet(keys));
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
        keys.insert(0, keys.get(0).deepCopy());
        showKeys(keySet(keys));
        refused(enter(claims -> claims));
    }

    /** Keys for which a check takes as long as a signature, all to be tried. */
    @Test
    void triesNoKeysThatAreDearToCheck() {
        var modulus = encoded(BigInteger.TWO.pow(3071).add(BigInteger.ONE).toByteArray());
        var keys = Json.array();
        for (var index = 0; index < 50; index++) {
            keys.addObject().put("kty", "RSA").put("n", modulus).put("e", modulus);
        }
        showKeys(keySet(keys));
        refused(enter(claims -> claims));
        keys.add(((ObjectNode) OidcPeer.keys().at("/keys/0")).put("kid", "k1"));
        showKeys(keySet(keys));
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
    }

    @Test
    void refusesShortKeys_andThoseForEncryption() {
        var isForEncryption = (ObjectNode) OidcPeer.keys().at("/keys/0");
        showKeys(keySet(Json.array().add(isForEncryption.put("use", "enc"))));
        refused(enter(claims -> claims));
        showKeys(keySet(Json.array()
                .add(Json.object().put("kty", "oct").put("kid", "k1").put("k", "AAAA"))));
        refused(enter(claims -> claims));
        showKeys(keySet(Json.array()));
        refused(enter(claims -> claims));
    }

    private static void redirects(String path, String location) {
        oidc.instead.put(
                path,
                request -> request.response()
                        .setStatusCode(307)
                        .putHeader("Location", location)
                        .end());
    }

    /** Nobody is led to an address of this server's network, nor is a secret handed on. */
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

    /** The answer of another provider, with its code: given to this one, it would be told what that one knows. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesACodeOfAnotherProvider_andGivesItToNobody(boolean isAnnounced) {
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

        // Then a page of ours is refused, and a client that knows the code alone is not
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

    @Test
    void refusesClaimsInEachOtherWithoutEnd() {
        oidc.signed = token -> {
            var claims = Json.text(RsaToken.parse(token).orElseThrow().claims());
            var nested =
                    claims.substring(0, claims.length() - 1) + ",\"deep\":" + "[".repeat(900) + "]".repeat(900) + "}";
            var text = encoded(Json.bytes(head("RS256").put("kid", "k1"))) + "."
                    + encoded(nested.getBytes(StandardCharsets.UTF_8));
            return text + "." + signature(OidcPeer.PAIR.getPrivate(), text);
        };
        refused(enter(claims -> claims));
        entersAgain();
    }

    @Test
    void refusesAPersonOfWhomTheTokenDoesNotSpeak() {
        oidc.told = Json.object().put("sub", "somebody-else").put("email", ADA).put("email_verified", true);
        refused(enter(claims -> (ObjectNode) claims.without("email")));
    }

    @Test
    void takesACodeOnce_andATicketForItsOwnQuestionOnly() {
        var begun = begin();
        var code = oidc.agree(begun.loginUrl(), ADA, claims -> claims);
        assertThat(begun.claim(code).status()).isEqualTo(200);
        refused(begun.claim(code));
        var other = begin();
        refused(other.claim(oidc.agree(begun.loginUrl(), ADA, claims -> claims)));
    }
}
