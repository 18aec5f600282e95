package io.millrace.piece.file;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

/** Snapshots of projects (contract flows-and-engine 20.2), stored in the transaction of their release. */
public interface ReleaseFiles {
    /**
     * Keeps a snapshot.
     *
     * @param name file name for users
     */
    Future<Void> keepSnapshot(Tx tx, String fileId, Instant now, String projectId, String name, Buffer data);

    Future<Optional<Buffer>> findSnapshot(Tx tx, String projectId, String fileId);
}
