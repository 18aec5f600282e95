package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.base.secret.Hashes;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Access tokens of Google service accounts (RFC 7523): an assertion signed with the account's key is exchanged for a token,
 * which is cached until shortly before it expires. The token address inside an account file is ignored, because it is
 * untrusted input that would decide where the server sends assertions.
 */
public final class GoogleTokens {
    private static final String HOST = "oauth2.googleapis.com";
    private static final String PATH = "/token";
    private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    private static final Duration LIFE = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofMinutes(50);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ACCOUNTS_MAX = 500;

    private final OutboundHttp http;
    private final InstantSource clock;
    private final UnaryOperator<String> origins;
    private final Cache<String, Future<String>> tokens;

    /** @param origins maps a host to its scheme, host and port */
    public GoogleTokens(OutboundHttp http, InstantSource clock, UnaryOperator<String> origins) {
        this.http = http;
        this.clock = clock;
        this.origins = origins;
        this.tokens = Caches.living("aiprovider.google-tokens", ACCOUNTS_MAX, KEPT, clock)
                .build();
    }

    static Optional<String> problemOf(String account) {
        try {
            assertion(Json.parse(account), 0);
            return Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return Optional.of(
                    "serviceAccountJson must be the JSON key file of a service account, with client_email and"
                            + " private_key");
        }
    }

    /** A token of the account. Concurrent callers share one exchange; a failure is not cached. */
    public Future<String> of(String account) {
        var key = Hashes.sha256Hex(account);
        var known = tokens.getIfPresent(key);
        if (known != null) {
            return known;
        }
        var fresh = exchanged(account);
        tokens.put(key, fresh);
        return fresh.onFailure(_ -> tokens.asMap().remove(key, fresh));
    }

    private Future<String> exchanged(String account) {
        String assertion;
        try {
            assertion = assertion(Json.parse(account), clock.instant().getEpochSecond());
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return Future.failedFuture(new AiRefusal("the service account key is invalid"));
        }
        var form = "grant_type=" + URLEncoder.encode(GRANT, StandardCharsets.UTF_8) + "&assertion=" + assertion;
        var request = OutboundRequest.of("POST", WebAddress.parse(origins.apply(HOST) + PATH))
                .withTimeoutMs(TIMEOUT.toMillis())
                .withHeader("content-type", "application/x-www-form-urlencoded")
                .withHeader("accept", "application/json")
                .withBody(Buffer.buffer(form));
        return http.send(request).map(GoogleTokens::read);
    }

    private static String assertion(JsonNode account, long now) {
        var email = account.path("client_email").asText("");
        if (email.isBlank()) {
            throw new IllegalArgumentException("expected a client_email");
        }
        var pem = account.path("private_key").asText("");
        var body = pem.lines().filter(line -> !line.startsWith("-----")).reduce("", String::concat);
        var key = RsaKeys.privateKey(Base64.getDecoder().decode(body));
        var claims = Json.object()
                .put("iss", email)
                .put("scope", SCOPE)
                .put("aud", "https://" + HOST + PATH)
                .put("iat", now)
                .put("exp", now + LIFE.toSeconds());
        return RsaToken.issue(account.path("private_key_id").asText("key"), key, claims);
    }

    private static String read(OutboundResponse answer) {
        try {
            var body = Json.parse(answer.body().getBytes());
            var token = body.path("access_token").asText("");
            if (answer.status() / 100 == 2 && !token.isEmpty()) {
                return token;
            }
            throw new AiRefusal("the service account was refused with status " + answer.status() + ": "
                    + body.path("error_description").asText(body.path("error").asText("")));
        } catch (JsonProcessingException malformed) {
            throw new AiRefusal(
                    "the token request of the service account failed with status " + answer.status() + " and no JSON");
        }
    }
}
