package io.millrace.piece.file;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Files that are part of a flow and have its lifetime (contract flows-and-engine 20.2, 21). Used inside the transaction
 * that changes the flow, so that both are consistent.
 */
public interface FlowFiles {
    /**
     * Stores a file, or overwrites the one of this id. Fails with BODY_TOO_LARGE.
     *
     * @param file file of a type with the lifetime of its flow; its metadata names the flow as {@code flowId}
     */
    Future<Void> put(Tx tx, StoredFile file, Buffer data);

    /** Finds files of a project by their ids, restricted to files that are part of a flow. */
    Future<List<FileMessages.Content>> find(Tx tx, String projectId, List<String> fileIds);

    Future<Void> removeOfFlow(Tx tx, String flowId);
}
