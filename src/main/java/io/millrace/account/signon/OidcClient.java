package io.millrace.account.signon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.platform.OidcProvider;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import io.vertx.ext.auth.oauth2.OAuth2Auth;
import io.vertx.ext.auth.oauth2.OAuth2AuthorizationURL;
import io.vertx.ext.auth.oauth2.OAuth2Options;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * OpenID Connect client: discovery, authorization address, code exchange, validation of tokens.
 *
 * <p>The library builds addresses and checks signatures; every call uses the guarded HTTP client, because an administrator of
 * a platform chooses the provider's address. Each call has a timeout, so a provider that hangs costs only a refused sign-in.
 */
final class OidcClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int BYTES_MAX = 512 * 1024;
    private static final List<String> SCOPES = List.of("openid", "email", "profile");

    private final Vertx vertx;
    private final OutboundHttp http;

    OidcClient(Vertx vertx, OutboundHttp http) {
        this.vertx = vertx;
        this.http = http;
    }

    /** Values of an authorization request that its response must match. */
    record Challenge(String state, String nonce, String codeChallenge) {}

    /**
     * Metadata of a provider (OpenID Connect Discovery).
     *
     * @param personUrl userinfo endpoint; empty when there is none
     * @param namesItself true when authorization responses name the issuer (RFC 9207)
     */
    record Description(
            String issuer,
            String authorizeUrl,
            String tokenUrl,
            String keysUrl,
            Optional<String> personUrl,
            boolean takesSecretInBodyOnly,
            boolean namesItself) {}

    private record ProviderTokens(String idToken, String accessToken) {
        @Override
        public String toString() {
            return "ProviderTokens[]";
        }
    }

    /** Fetches the provider's metadata; its issuer must match the configured one. */
    Future<Description> describe(OidcProvider provider) {
        var base = provider.issuer().endsWith("/")
                ? provider.issuer().substring(0, provider.issuer().length() - 1)
                : provider.issuer();
        return get(base + "/.well-known/openid-configuration").map(found -> {
            if (!provider.issuer().equals(found.path("issuer").asText())) {
                throw new IllegalArgumentException(
                        "the issuer in the provider's metadata is not the configured issuer");
            }
            return new Description(
                    provider.issuer(),
                    required(found, "authorization_endpoint"),
                    required(found, "token_endpoint"),
                    required(found, "jwks_uri"),
                    found.hasNonNull("userinfo_endpoint")
                            ? Optional.of(required(found, "userinfo_endpoint"))
                            : Optional.empty(),
                    takesSecretInBodyOnly(found.path("token_endpoint_auth_methods_supported")),
                    found.path("authorization_response_iss_parameter_supported").asBoolean(false));
        });
    }

    private static String required(JsonNode found, String name) {
        return WebAddress.parse(found.path(name).asText()).toString();
    }

    /** Without declared methods the default is the header. */
    private static boolean takesSecretInBodyOnly(JsonNode methods) {
        var names = methods.valueStream().map(JsonNode::asText).toList();
        return names.contains("client_secret_post") && !names.contains("client_secret_basic");
    }

    String authorizeUrl(OidcProvider provider, Description description, String redirectUrl, Challenge challenge) {
        var auth = OAuth2Auth.create(
                vertx,
                new OAuth2Options()
                        .setClientId(provider.clientId())
                        .setSite(description.issuer())
                        .setAuthorizationPath(description.authorizeUrl())
                        .setTokenPath(description.tokenUrl()));
        try {
            return auth.authorizeURL(new OAuth2AuthorizationURL()
                    .setRedirectUri(redirectUrl)
                    .setScopes(SCOPES)
                    .setState(challenge.state())
                    .setCodeChallenge(challenge.codeChallenge())
                    .setCodeChallengeMethod("S256")
                    .putAdditionalParameter("nonce", challenge.nonce()));
        } finally {
            auth.close();
        }
    }

    /**
     * Verifies the issuer of an authorization response (RFC 9207), against mix-up attacks: the code of one provider must not
     * be sent to another. Runs before the code is sent.
     *
     * @param named issuer in the response; empty when it has none
     * @param handsOn true when the calling page passes the issuer on; other clients pass the code only (contract admin-api
     *     32)
     * @throws IllegalArgumentException when the issuer is another one, or unknown where the provider names itself
     */
    static void requireSender(Description description, Optional<String> named, boolean handsOn) {
        if (named.isPresent() ? !named.get().equals(description.issuer()) : handsOn && description.namesItself()) {
            throw new IllegalArgumentException("expected the provider's issuer (iss) with the code, found "
                    + (named.isPresent() ? "another" : "none"));
        }
    }

    /**
     * Claims about a person for a code: those of the id token, whose signature, issuer and audience are verified, and those
     * of the userinfo endpoint.
     */
    Future<ObjectNode> claims(
            OidcProvider provider, Description description, String redirectUrl, String code, String verifier) {
        return token(provider, description, redirectUrl, code, verifier)
                .compose(given -> get(description.keysUrl())
                        .compose(keys -> checked(provider, description, keys, given.idToken()))
                        .compose(claims -> completed(description, given, claims)));
    }

    private Future<ProviderTokens> token(
            OidcProvider provider, Description description, String redirectUrl, String code, String verifier) {
        var fields = new TreeMap<>(Map.of(
                "grant_type", "authorization_code",
                "code", code,
                "redirect_uri", redirectUrl,
                "code_verifier", verifier));
        var request = OutboundRequest.of("POST", WebAddress.parse(description.tokenUrl()))
                .withHeader("Content-Type", "application/x-www-form-urlencoded");
        if (description.takesSecretInBodyOnly()) {
            fields.put("client_id", provider.clientId());
            fields.put("client_secret", provider.clientSecret());
        } else {
            request = request.withHeader("Authorization", basic(provider));
        }
        return send(request.withBody(Buffer.buffer(form(fields)))).map(OidcClient::given);
    }

    private static ProviderTokens given(JsonNode answer) {
        var idToken = answer.path("id_token").asText();
        if (idToken.isEmpty()) {
            throw new IllegalArgumentException("the token response has no id token");
        }
        return new ProviderTokens(idToken, answer.path("access_token").asText());
    }

    /** Completes a token without an address from the userinfo endpoint (OpenID Connect Core 5.3). */
    private Future<ObjectNode> completed(Description description, ProviderTokens given, ObjectNode claims) {
        if (claims.hasNonNull("email") || description.personUrl().isEmpty()) {
            return Future.succeededFuture(claims);
        }
        return send(OutboundRequest.of(
                                "GET", WebAddress.parse(description.personUrl().get()))
                        .withHeader("Authorization", "Bearer " + given.accessToken()))
                .map(person -> IdToken.completed(claims, person));
    }

    /** Names and secrets are encoded before they are put together (RFC 6749, 2.3.1). */
    private static String basic(OidcProvider provider) {
        var pair = encoded(provider.clientId()) + ":" + encoded(provider.clientSecret());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Times are checked by {@link IdToken} with the server's clock, not by the library. */
    private Future<ObjectNode> checked(OidcProvider provider, Description description, JsonNode keys, String idToken) {
        var options = new JWTOptions()
                .setIssuer(description.issuer())
                .addAudience(provider.clientId())
                .setIgnoreExpiration(true);
        return Future.succeededFuture(idToken)
                .map(token -> new JWTAuthOptions()
                        .setJwks(ProviderKeys.of(keys, token))
                        .setJWTOptions(options))
                .compose(with -> JWTAuth.create(vertx, with).authenticate(new TokenCredentials(idToken)))
                .map(_ -> payload(idToken))
                .recover(cause -> Future.failedFuture(
                        new IllegalArgumentException("the id token is invalid: " + cause.getMessage(), cause)));
    }

    /** Called for a token that was checked. */
    private static ObjectNode payload(String idToken) {
        try {
            return (ObjectNode) Json.parse(Base64.getUrlDecoder().decode(idToken.split("\\.", 3)[1]));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("its claims are not a valid JSON object", malformed);
        }
    }

    private Future<JsonNode> get(String address) {
        return Future.succeededFuture(address)
                .map(WebAddress::parse)
                .compose(parsed -> send(OutboundRequest.of("GET", parsed)));
    }

    private Future<JsonNode> send(OutboundRequest request) {
        return http.send(request.withTimeoutMs(TIMEOUT.toMillis())
                        .withBodyBytesMax(BYTES_MAX)
                        .withHeader("Accept", "application/json"))
                .map(OidcClient::json);
    }

    private static JsonNode json(OutboundResponse response) {
        if (response.status() != 200) {
            throw new IllegalArgumentException("the provider answered with status " + response.status());
        }
        return Optional.of(response.body().getBytes())
                .map(OidcClient::parsed)
                .filter(JsonNode::isObject)
                .orElseThrow(() -> new IllegalArgumentException("the provider's response is not a JSON object"));
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return Json.parse(bytes);
        } catch (JsonProcessingException notJson) {
            return Json.mapper().nullNode();
        }
    }
}
