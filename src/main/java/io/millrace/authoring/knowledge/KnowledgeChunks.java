package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/** Requests about the chunks of documents. Handled by {@link ChunkService}. */
public sealed interface KnowledgeChunks {
    record Count(String knowledgeBaseFileId) implements KnowledgeChunks, BusRequest<Long> {}

    /**
     * Lists chunks of a document.
     *
     * @param embedded true for chunks with a vector, false for chunks without; empty for all
     */
    record ListOf(String knowledgeBaseFileId, Optional<Boolean> embedded)
            implements KnowledgeChunks, BusRequest<List<Chunk>> {}

    /**
     * Changes chunks with an id, and adds the others. Without any id, they replace all chunks of the document. Fails
     * with ENTITY_NOT_FOUND for an unknown id, with VALIDATION above the limit.
     */
    record Store(String knowledgeBaseFileId, List<NewChunk> chunks) implements KnowledgeChunks, BusRequest<Nothing> {
        public Store {
            chunks = List.copyOf(chunks);
        }

        @Override
        public String toString() {
            return "Store[" + chunks.size() + "]";
        }
    }

    /**
     * A chunk to write; empty fields are unchanged, or absent in a new chunk.
     *
     * @param embedding as {@link Vectors} writes it
     */
    record NewChunk(
            Optional<String> id,
            Optional<String> content,
            Optional<Buffer> embedding,
            Optional<Integer> index,
            Optional<ObjectNode> metadata) {}

    /**
     * Most similar chunks to a vector among some documents of a project; documents of other projects are ignored.
     *
     * @param question as {@link Vectors} writes it
     */
    record Search(String projectId, List<String> knowledgeBaseFileIds, Buffer question, int limit, double similarityMin)
            implements KnowledgeChunks, BusRequest<List<Match>> {
        @Override
        public String toString() {
            return "Search[" + knowledgeBaseFileIds + "]";
        }
    }

    record Match(String id, String content, ObjectNode metadata, int index, double score) {
        ObjectNode toJson() {
            var json = Json.object().put("id", id).put("content", content);
            json.set("metadata", metadata);
            return json.put("chunkIndex", index).put("score", score);
        }
    }

    /** A text question to one document of a project, from an agent. Fails with ENTITY_NOT_FOUND. */
    record Ask(String projectId, String knowledgeBaseFileId, String question)
            implements KnowledgeChunks, BusRequest<Answer> {}

    sealed interface Answer {
        /** Chunks, best first. */
        record Chunks(List<Match> found) implements Answer {}

        record NoChunks(String reason) implements Answer {}
    }
}
