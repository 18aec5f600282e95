package io.millrace.authoring.knowledge;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Requests about the documents of knowledge bases. Handled by {@link KnowledgeService}. */
public sealed interface KnowledgeFiles {
    /**
     * Stores and indexes a document. Fails with VALIDATION, and stores nothing, when it has no readable text or no
     * embedding model is available.
     */
    record Upload(String projectId, String displayName, String fileName, String contentType, Buffer data)
            implements KnowledgeFiles, BusRequest<KnowledgeFile> {
        @Override
        public String toString() {
            return "Upload[" + fileName + ", " + data.length() + " bytes]";
        }
    }

    /** Adds a file of the project, created by a step or a piece, without indexing it. Fails with ENTITY_NOT_FOUND. */
    record Add(String projectId, String fileId, String displayName)
            implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** Newest first. */
    record ListOf(String projectId) implements KnowledgeFiles, BusRequest<List<KnowledgeFile>> {}

    record Get(String id) implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** Removes a document with its chunks and its file, if the project has it. */
    record Delete(String projectId, String id) implements KnowledgeFiles, BusRequest<Nothing> {}

    /** Splits the document's text into chunks without storing them. */
    record Extract(String id) implements KnowledgeFiles, BusRequest<List<String>> {}

    /** Recreates all chunks of the document with the platform's current model. */
    record Reindex(String id) implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** The project of a document; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements KnowledgeFiles, BusRequest<String> {}

    /** Computes a batch of missing vectors; true when more are missing. */
    record IndexSome() implements KnowledgeFiles, BusRequest<Boolean> {}
}
