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

    /** Adds a file that a step or a piece has put into the project, without indexing it. Fails with ENTITY_NOT_FOUND. */
    record Add(String projectId, String fileId, String displayName)
            implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** Newest first. */
    record ListOf(String projectId) implements KnowledgeFiles, BusRequest<List<KnowledgeFile>> {}

    record Get(String id) implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** Removes a document with its chunks and its file, if the project has it. */
    record Delete(String projectId, String id) implements KnowledgeFiles, BusRequest<Nothing> {}

    /** Cuts the document's text; keeps nothing of it. */
    record Extract(String id) implements KnowledgeFiles, BusRequest<List<String>> {}

    /** Makes all chunks anew of the document, with the model that the platform has now. */
    record Reindex(String id) implements KnowledgeFiles, BusRequest<KnowledgeFile> {}

    /** The project of a document; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements KnowledgeFiles, BusRequest<String> {}

    /** Makes some of the vectors that are missing; true when more are. */
    record IndexSome() implements KnowledgeFiles, BusRequest<Boolean> {}
}
