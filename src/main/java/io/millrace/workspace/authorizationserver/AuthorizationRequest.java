package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.Input;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Authorization request of an MCP client (contract admin-api 33.3). Carried through the user's browser as the claims of a
 * signed token.
 *
 * @param resource audience of the access tokens; empty when the client named none
 * @param issuer by which the client reached this server, named in the response (RFC 9207); empty before the request is
 *     accepted, and for one that a node of an earlier release has accepted
 */
record AuthorizationRequest(
        String clientId,
        String redirectUri,
        String codeChallenge,
        Optional<String> state,
        Optional<String> resource,
        Optional<Issuer> issuer) {
    private static final List<String> PARAMETERS = List.of(
            "client_id",
            "redirect_uri",
            "response_type",
            "code_challenge",
            "code_challenge_method",
            "state",
            "scope",
            "resource");
    private static final String STATE = "state";
    private static final String RESOURCE = "resource";
    private static final String ISSUER = "issuer";
    private static final int CLIENT_ID_LENGTH_MAX = 64;
    private static final int URI_LENGTH_MAX = 2048;
    private static final int TEXT_LENGTH_MAX = 512;
    private static final int CHALLENGE_LENGTH_MIN = 43;
    private static final int CHALLENGE_LENGTH_MAX = 256;

    /** A client is granted the only scope, regardless of the scopes it requested (RFC 6749, 3.3). */
    static AuthorizationRequest read(Input input) {
        var query = input.query();
        refuseRepeated(query, PARAMETERS);
        optional(query, "scope", TEXT_LENGTH_MAX);
        var request = new AuthorizationRequest(
                query.text("client_id", 1, CLIENT_ID_LENGTH_MAX),
                query.text("redirect_uri", 1, URI_LENGTH_MAX),
                query.text("code_challenge", CHALLENGE_LENGTH_MIN, CHALLENGE_LENGTH_MAX),
                optional(query, STATE, TEXT_LENGTH_MAX),
                optional(query, RESOURCE, URI_LENGTH_MAX),
                Optional.empty());
        if (!query.text("response_type").equals("code")) {
            throw ApiException.of(ErrorCode.OAUTH_UNSUPPORTED_RESPONSE_TYPE, "expected response_type code");
        }
        if (!query.optionalText("code_challenge_method").orElse("S256").equals("S256")) {
            throw ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, "expected code_challenge_method S256");
        }
        return request;
    }

    /** Rejects a repeated parameter, which is ambiguous (RFC 6749, 3.1). */
    static void refuseRepeated(Fields fields, List<String> names) {
        for (var name : names) {
            if (fields.raw(name).isArray()) {
                throw ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, name + " was sent more than once");
            }
        }
    }

    private static Optional<String> optional(Fields query, String name, int lengthMax) {
        return query.isAbsent(name) ? Optional.empty() : Optional.of(query.text(name, 0, lengthMax));
    }

    AuthorizationRequest acceptedBy(Issuer by) {
        return new AuthorizationRequest(clientId, redirectUri, codeChallenge, state, resource, Optional.of(by));
    }

    ObjectNode toClaims() {
        var claims = Json.object()
                .put("clientId", clientId)
                .put("redirectUri", redirectUri)
                .put("codeChallenge", codeChallenge);
        state.ifPresent(text -> claims.put(STATE, text));
        resource.ifPresent(text -> claims.put(RESOURCE, text));
        issuer.ifPresent(by -> claims.put(ISSUER, by.url()));
        return claims;
    }

    static AuthorizationRequest ofClaims(JsonNode claims) {
        return new AuthorizationRequest(
                claims.path("clientId").asText(),
                claims.path("redirectUri").asText(),
                claims.path("codeChallenge").asText(),
                Optional.ofNullable(claims.path(STATE).textValue()),
                Optional.ofNullable(claims.path(RESOURCE).textValue()),
                Optional.ofNullable(claims.path(ISSUER).textValue()).map(Issuer::new));
    }

    String granted(String code) {
        return back("code", code);
    }

    String denied() {
        return back("error", "access_denied");
    }

    private String back(String name, String value) {
        var answer = new StringBuilder(redirectUri)
                .append(redirectUri.contains("?") ? '&' : '?')
                .append(name)
                .append('=')
                .append(value);
        issuer.ifPresent(by -> answer.append("&iss=").append(encoded(by.url())));
        state.ifPresent(text -> answer.append("&state=").append(encoded(text)));
        return answer.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
