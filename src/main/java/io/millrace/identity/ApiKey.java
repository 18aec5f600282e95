package io.millrace.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import java.time.Instant;

/**
 * A key that acts for its whole platform (contract admin-api 20). The key itself is known to its holder only.
 *
 * @param truncatedValue the last four characters
 * @param lastUsedAt null until the first use
 */
public record ApiKey(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String displayName,
        String truncatedValue,
        Instant lastUsedAt) {

    /** The record as the API shows it. */
    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("displayName", displayName)
                .put("truncatedValue", truncatedValue)
                .put("lastUsedAt", Json.timestamp(lastUsedAt));
    }
}
