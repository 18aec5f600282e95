package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Fields;
import io.millrace.base.core.Json;
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
 */
record AuthorizationRequest(
        String clientId, String redirectUri, String codeChallenge, Optional<String> state, Optional<String> resource) {
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
                optional(query, RESOURCE, URI_LENGTH_MAX));
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

    ObjectNode toClaims() {
        var claims = Json.object()
                .put("clientId", clientId)
                .put("redirectUri", redirectUri)
                .put("codeChallenge", codeChallenge);
        state.ifPresent(text -> claims.put(STATE, text));
        resource.ifPresent(text -> claims.put(RESOURCE, text));
        return claims;
    }

    static AuthorizationRequest ofClaims(JsonNode claims) {
        return new AuthorizationRequest(
                claims.path("clientId").asText(),
                claims.path("redirectUri").asText(),
                claims.path("codeChallenge").asText(),
                Optional.ofNullable(claims.path(STATE).textValue()),
                Optional.ofNullable(claims.path(RESOURCE).textValue()));
    }

    /** Redirect address with an authorization code. */
    String granted(String code) {
        return back("code", code);
    }

    /** Redirect address after the user declined. */
    String denied() {
        return back("error", "access_denied");
    }

    private String back(String name, String value) {
        var answer = redirectUri + (redirectUri.contains("?") ? '&' : '?') + name + '=' + value;
        return state.map(text -> answer + "&state=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                .orElse(answer);
    }
}
