package io.millrace.piece.file;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * Documents of knowledge bases (contract flows-and-engine 20.2), stored in the transaction of their metadata, so that
 * both are consistent.
 */
public interface KnowledgeBaseFiles {
    /** Fails with BODY_TOO_LARGE. */
    Future<Void> keepDocument(
            Tx tx, String fileId, Instant now, String projectId, String fileName, String contentType, Buffer data);

    /**
     * Converts a file of the project, created by a step or a piece, into a permanent document; false when the project
     * has no such file.
     */
    Future<Boolean> adoptDocument(Tx tx, String projectId, String fileId);

    /** Removes a document if it exists. */
    Future<Void> removeDocument(Tx tx, String projectId, String fileId);
}
