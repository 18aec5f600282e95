package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.Breakers;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Requests tokens from providers and renews them (contract admin-api 7.2, 7.9). A stored value is {@code access_token,
 * refresh_token?, token_type?, expires_in?, claimed_at, scope, token_url, client_id, authorization_method, grant_type,
 * props?, data} and, for a client of the user, {@code client_secret, redirect_url}. Fails with {@link OAuthFailure}.
 */
public final class TokenExchange {
    public static final Duration TIMEOUT = Duration.ofSeconds(20);

    static final int ANSWER_BYTES_MAX = 1 << 20;

    private static final int FAILURES_MAX = 5;
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration LIFE_UNSTATED = Duration.ofHours(1);
    private static final Duration RENEWED_BEFORE = Duration.ofMinutes(15);
    private static final long LIFE_SECONDS_MAX = Duration.ofDays(3650).toSeconds();

    private final OutboundHttp http;
    private final InstantSource clock;
    private final Breakers breakers;

    public TokenExchange(Vertx vertx, OutboundHttp http, InstantSource clock) {
        this.http = http;
        this.clock = clock;
        this.breakers = new Breakers(vertx, FAILURES_MAX, PAUSE, TokenExchange::isUnanswered);
    }

    public Future<ObjectNode> claim(OAuthProviderMetadata provider, ClaimRequest request) {
        String tokenUrl;
        try {
            tokenUrl = OAuthProviderMetadata.filledUrl(provider.tokenUrl(), request.props());
        } catch (IllegalArgumentException foreign) {
            return Future.failedFuture(new OAuthFailure(OAuthFailure.Kind.REFUSED, foreign.getMessage()));
        }
        var place = request.clientPlace().orElse(provider.clientPlace());
        var fields = new LinkedHashMap<String, String>();
        fields.put("grant_type", request.grant().word());
        switch (request.grant()) {
            case AUTHORIZATION_CODE -> {
                fields.put("code", request.code());
                fields.put("redirect_uri", request.redirectUrl());
                request.codeVerifier().ifPresent(verifier -> fields.put("code_verifier", verifier));
            }
            case CLIENT_CREDENTIALS -> addCredentialFields(fields, request.scope(), request.props());
        }
        return ask(tokenUrl, place, request.client().id(), request.client().secret(), fields)
                .map(token -> {
                    var value = Json.object()
                            .put("token_url", tokenUrl)
                            .put("client_id", request.client().id())
                            .put("authorization_method", place.name())
                            .put("grant_type", request.grant().word())
                            .put("scope", request.scope());
                    request.props().ifPresent(props -> value.set("props", props));
                    value.setAll(token);
                    return value;
                });
    }

    private static void addCredentialFields(Map<String, String> fields, String scope, Optional<ObjectNode> props) {
        if (!scope.isEmpty()) {
            fields.put("scope", scope);
        }
        props.ifPresent(values -> values.properties().forEach(entry -> {
            if (entry.getValue().isValueNode() && !entry.getValue().isNull()) {
                fields.putIfAbsent(entry.getKey(), entry.getValue().asText());
            }
        }));
    }

    /** Renews a stored value; fields that the provider omits stay unchanged. */
    public Future<ObjectNode> renew(ObjectNode value, String clientSecret) {
        var fields = new LinkedHashMap<String, String>();
        if (isClientCredentials(value)) {
            var props = value.get("props") instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.<ObjectNode>empty();
            fields.put("grant_type", TokenGrant.CLIENT_CREDENTIALS.word());
            addCredentialFields(fields, value.path("scope").asText(""), props);
        } else {
            fields.put("grant_type", "refresh_token");
            fields.put("refresh_token", value.path("refresh_token").asText());
        }
        var place = value.path("authorization_method").asText().equals(ClientPlace.HEADER.name())
                ? ClientPlace.HEADER
                : ClientPlace.BODY;
        return ask(
                        value.path("token_url").asText(),
                        place,
                        value.path("client_id").asText(),
                        clientSecret,
                        fields)
                .map(token -> {
                    var renewed = value.deepCopy();
                    renewed.setAll(token);
                    return renewed;
                });
    }

    /**
     * Time from which a stored value must be renewed before use: 15 minutes before it expires, or after half of a shorter
     * lifetime. Empty when it cannot be renewed.
     */
    public static Optional<Instant> renewalDue(ObjectNode value) {
        if (!isClientCredentials(value) && !value.path("refresh_token").isTextual()) {
            return Optional.empty();
        }
        var lifeSeconds = value.path("expires_in").asLong(LIFE_UNSTATED.toSeconds());
        var life = Duration.ofSeconds(Math.clamp(lifeSeconds, 0, LIFE_SECONDS_MAX));
        var half = life.dividedBy(2);
        var before = half.compareTo(RENEWED_BEFORE) < 0 ? half : RENEWED_BEFORE;
        return Optional.of(claimedAt(value).plus(life).minus(before));
    }

    /** True while a token whose renewal failed is not expired. */
    public static boolean isAlive(ObjectNode value, Instant now) {
        var lifeSeconds = value.path("expires_in").asLong(LIFE_UNSTATED.toSeconds());
        return now.isBefore(claimedAt(value).plusSeconds(Math.clamp(lifeSeconds, 0, LIFE_SECONDS_MAX)));
    }

    private static Instant claimedAt(ObjectNode value) {
        return Instant.ofEpochSecond(value.path("claimed_at").asLong());
    }

    private static boolean isClientCredentials(JsonNode value) {
        return value.path("grant_type").asText().equals(TokenGrant.CLIENT_CREDENTIALS.word());
    }

    private Future<ObjectNode> ask(
            String tokenUrl, ClientPlace place, String clientId, String clientSecret, Map<String, String> fields) {
        OutboundRequest request;
        try {
            request = request(WebAddress.parse(tokenUrl), place, clientId, clientSecret, fields);
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(new OAuthFailure(OAuthFailure.Kind.REFUSED, malformed.getMessage()));
        }
        return send(request);
    }

    private Future<ObjectNode> send(OutboundRequest request) {
        var origin = request.address().origin();
        return breakers.call(
                        origin,
                        () -> http.send(request)
                                .map(TokenAnswer::read)
                                .recover(failure -> Future.failedFuture(failureOf(failure))))
                .recover(failure -> Future.failedFuture(
                        Breakers.isLeftAlone(failure)
                                ? new OAuthFailure(
                                        OAuthFailure.Kind.UNANSWERED,
                                        origin + " has failed too often; requests to it are suspended for a short time")
                                : failure))
                .map(token -> token.put("claimed_at", clock.instant().getEpochSecond()));
    }

    private static OutboundRequest request(
            WebAddress address,
            ClientPlace place,
            String clientId,
            String clientSecret,
            Map<String, String> grantFields) {
        var fields = new LinkedHashMap<>(grantFields);
        var request = OutboundRequest.of("POST", address)
                .withTimeoutMs(TIMEOUT.toMillis())
                .withBodyBytesMax(ANSWER_BYTES_MAX)
                .withHeader("Accept", "application/json")
                .withHeader("Content-Type", "application/x-www-form-urlencoded");
        if (place == ClientPlace.BODY) {
            fields.put("client_id", clientId);
            if (!clientSecret.isEmpty()) {
                fields.put("client_secret", clientSecret);
            }
        } else {
            var pair = (clientId + ":" + clientSecret).getBytes(StandardCharsets.UTF_8);
            request = request.withHeader(
                    "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        }
        return request.withBody(Buffer.buffer(fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"))));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Throwable failureOf(Throwable failure) {
        return failure instanceof OutboundFailure unanswered
                ? new OAuthFailure(OAuthFailure.Kind.UNANSWERED, unanswered.getMessage())
                : failure;
    }

    private static boolean isUnanswered(Throwable failure) {
        return failure instanceof OAuthFailure refused && refused.kind() == OAuthFailure.Kind.UNANSWERED;
    }
}
