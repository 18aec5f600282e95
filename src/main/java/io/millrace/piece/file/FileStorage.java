package io.millrace.piece.file;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * Storage locations of file bytes. Objects in an object storage remain readable after the server was configured to
 * write to its database again (contract flows-and-engine 20.3).
 *
 * @param any the object storage, if there is one
 * @param isWritten true if new files are written to the object storage
 */
public record FileStorage(Optional<ObjectStorage> any, boolean isWritten) {
    public static FileStorage inDatabase() {
        return new FileStorage(Optional.empty(), false);
    }

    /** Empty when new files go to the database. */
    Optional<ObjectStorage> written() {
        return any.filter(_ -> isWritten);
    }

    Future<Buffer> read(String key) {
        return any.map(objects -> objects.get(key))
                .orElseGet(() -> Future.failedFuture(
                        ApiException.of(ErrorCode.STORAGE_UNAVAILABLE, "the storage of the file is not configured")));
    }

    static String keyOf(String projectId, FileType type, String fileId) {
        return "project/" + projectId + "/" + type + "/" + fileId;
    }
}
