package io.millrace.account.identity.apikey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.KeyScopes;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * A key that acts for its whole platform (contract admin-api 20). Only its hash is stored.
 *
 * @param truncatedValue the last four characters
 * @param scopes permissions of the key
 * @param expiresAt null when it does not expire
 * @param lastUsedAt null until the first use
 */
public record ApiKey(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String displayName,
        String truncatedValue,
        KeyScopes scopes,
        Instant expiresAt,
        Instant lastUsedAt) {

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("displayName", displayName)
                .put("truncatedValue", truncatedValue)
                .put("expiresAt", Json.timestamp(expiresAt))
                .put("lastUsedAt", Json.timestamp(lastUsedAt));
        if (scopes.words().isEmpty()) {
            return json.putNull("scopes");
        }
        scopes.words().stream().sorted().forEach(json.putArray("scopes")::add);
        return json;
    }
}
