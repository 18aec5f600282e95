package io.millrace.workspace.embedding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * Key of an embedding product, which signs tokens for its users (contract admin-api 13). Only the product has the private
 * half.
 *
 * @param publicKey PKCS#1 in PEM
 */
public record SigningKey(
        String id, Instant created, Instant updated, String platformId, String displayName, String publicKey) {
    private static final String ALGORITHM = "RSA";

    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("publicKey", publicKey)
                .put("displayName", displayName)
                .put("algorithm", ALGORITHM);
    }

    /** Payload of audit events (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        data.putObject("signingKey")
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("displayName", displayName);
        return data;
    }
}
