package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelChoice;
import java.time.Instant;
import java.util.Optional;

/**
 * A document of a knowledge base (contract agents 7).
 *
 * @param fileId the kept file
 * @param reason why it could not be indexed
 * @param model embedding model of its vectors; empty until the server has computed one
 */
public record KnowledgeFile(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String fileId,
        String displayName,
        KnowledgeState state,
        Optional<String> reason,
        Optional<ModelChoice> model) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("fileId", fileId)
                .put("displayName", displayName)
                .put("status", state.name());
        reason.ifPresent(text -> json.put("statusReason", text));
        return json;
    }
}
