package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * A piece of a document's text.
 *
 * @param embedded whether it has a vector, by which it is found
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
