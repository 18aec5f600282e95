package io.millrace.piece.file;

import io.millrace.base.net.OutboundStream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Keeps bytes under keys, outside the database (contract flows-and-engine 20.3). Fails with UNAVAILABLE. */
public interface ObjectStorage {
    Future<Void> put(String key, Buffer data, String contentType);

    /** The bytes; fails with ENTITY_NOT_FOUND when there are none under the key. */
    Future<Buffer> get(String key);

    /** The bytes as they come, for a caller on an event loop, who must read them or give them up. */
    Future<OutboundStream> open(String key);

    /** Removes what is there; nothing there is good too. */
    Future<Void> delete(String key);

    /** Presigned URL for a direct upload of this size, valid for some minutes; empty as for reading. */
    Future<Optional<String>> uploadUrl(String key, long size);

    /** Presigned URL for a direct download, valid for some minutes; empty when clients read through this server. */
    Future<Optional<String>> signedUrl(String key, StoredFile file);
}
