package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/**
 * Tokens for a client (contract admin-api 33.5).
 *
 * @param refreshToken for a code, and for each refresh of a public client; empty: the presented one stays valid
 */
record Tokens(String accessToken, long expiresInSeconds, Optional<String> refreshToken, String scope) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("access_token", accessToken)
                .put("token_type", "Bearer")
                .put("expires_in", expiresInSeconds);
        refreshToken.ifPresent(token -> json.put("refresh_token", token));
        return json.put("scope", scope);
    }

    @Override
    public String toString() {
        return "Tokens[]";
    }
}
