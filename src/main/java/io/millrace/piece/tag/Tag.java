package io.millrace.piece.tag;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/** A name under which a platform groups pieces (contract admin-api 36.5). */
public record Tag(String id, Instant created, Instant updated, String platformId, String name) {
    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("name", name);
    }
}
