package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/** The OAuth client of a platform at the provider of a piece, without its secret (contract admin-api 27). */
public record OAuthApp(
        String id, Instant created, Instant updated, String pieceName, String platformId, String clientId) {
    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("pieceName", pieceName)
                .put("platformId", platformId)
                .put("clientId", clientId);
    }
}
