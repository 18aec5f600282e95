package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * A chunk of a document's text.
 *
 * @param embedded true if it has a vector, so that searches find it
 */
public record Chunk(
        String id,
        Instant created,
        Instant updated,
        String knowledgeBaseFileId,
        int index,
        String content,
        ObjectNode metadata,
        boolean embedded) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("knowledgeBaseFileId", knowledgeBaseFileId)
                .put("content", content)
                .put("chunkIndex", index)
                .put("embedded", embedded);
        json.set("metadata", metadata);
        return json;
    }
}
