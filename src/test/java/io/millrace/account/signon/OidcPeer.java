package io.millrace.account.signon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.Waiting;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.math.BigInteger;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** OpenID provider on 127.0.0.1 that signs in the user named by the test, with optional protocol errors. */
final class OidcPeer implements AutoCloseable {
    static final KeyPair PAIR = RsaKeys.generate(2048);

    private final Vertx vertx = Vertx.vertx();
    private final InstantSource clock;
    private final HttpServer server;
    private final Map<String, ObjectNode> codes = new HashMap<>();
    private final Map<String, String> challenges = new HashMap<>();
    final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final List<HttpServerResponse> held = new CopyOnWriteArrayList<>();
    volatile UnaryOperator<String> signed = token -> token;
    volatile boolean holdsKeys;

    /** Handlers that replace the provider's responses, by path. */
    final Map<String, Handler<HttpServerRequest>> instead = new ConcurrentHashMap<>();

    /** Paths of the received requests. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** Claims that the user info endpoint returns. */
    volatile ObjectNode told = Json.object();

    OidcPeer(InstantSource clock) {
        this.clock = clock;
        this.server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    String issuer() {
        return "http://127.0.0.1:" + server.actualPort() + "/tenant";
    }

    /** Consents as the user and returns the response of the provider to the browser. */
    synchronized String agree(String loginUrl, String email, UnaryOperator<ObjectNode> change) {
        var asked = query(URI.create(loginUrl).getRawQuery());
        var code = "code-" + codes.size();
        var now = clock.instant().getEpochSecond();
        var claims = Json.object()
                .put("iss", issuer())
                .put("aud", asked.get("client_id"))
                .put("sub", email)
                .put("nonce", asked.get("nonce"))
                .put("iat", now)
                .put("exp", now + 300)
                .put("email", email)
                .put("email_verified", true)
                .put("given_name", "Grace")
                .put("family_name", "Hopper");
        codes.put(code, change.apply(claims));
        challenges.put(code, asked.get("code_challenge"));
        return code;
    }

    static Map<String, String> query(String text) {
        var fields = new HashMap<String, String>();
        for (var part : text.split("&")) {
            var equals = part.indexOf('=');
            fields.put(
                    part.substring(0, equals), URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    private void receive(HttpServerRequest request) {
        asked.add(request.path());
        var other = instead.get(request.path());
        if (other != null) {
            other.handle(request);
            return;
        }
        switch (request.path()) {
            case "/tenant/.well-known/openid-configuration" -> {
                var origin = issuer();
                request.response()
                        .end(Json.text(Json.object()
                                .put("issuer", origin)
                                .put("authorization_endpoint", origin + "/authorize")
                                .put("token_endpoint", origin + "/token")
                                .put("jwks_uri", origin + "/keys")
                                .put("userinfo_endpoint", origin + "/person")));
            }
            case "/tenant/keys" -> {
                if (holdsKeys) {
                    held.add(request.response());
                } else {
                    request.response().end(Json.text(keys()));
                }
            }
            case "/tenant/token" -> {
                authorizations.add(String.valueOf(request.getHeader("Authorization")));
                request.setExpectMultipart(true).endHandler(_ -> token(request));
            }
            case "/tenant/person" -> {
                authorizations.add(String.valueOf(request.getHeader("Authorization")));
                request.response().end(Json.text(told));
            }
            default -> request.response().setStatusCode(404).end();
        }
    }

    private synchronized void token(HttpServerRequest request) {
        MultiMap form = request.formAttributes();
        var claims = codes.remove(form.get("code"));
        if (claims == null || !challenge(form.get("code_verifier")).equals(challenges.get(form.get("code")))) {
            request.response().setStatusCode(400).end("{\"error\":\"invalid_grant\"}");
            return;
        }
        var token = signed.apply(RsaToken.issue("k1", PAIR.getPrivate(), claims));
        request.response().end(Json.text(Json.object().put("access_token", "a").put("id_token", token)));
    }

    private static String challenge(String verifier) {
        var hash = io.millrace.base.secret.Hashes.sha256(verifier.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    static ObjectNode keys() {
        var key = (RSAPublicKey) PAIR.getPublic();
        var set = Json.object();
        set.putArray("keys")
                .addObject()
                .put("kty", "RSA")
                .put("kid", "k1")
                .put("use", "sig")
                .put("n", number(key.getModulus()))
                .put("e", number(key.getPublicExponent()));
        return set;
    }

    private static String number(BigInteger value) {
        var bytes = value.toByteArray();
        var plain = bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain);
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
