package io.millrace.piece.file;

import io.millrace.base.net.OutboundStream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Store for bytes under keys, outside the database (contract flows-and-engine 20.3). Fails with UNAVAILABLE. */
public interface ObjectStorage {
    Future<Void> put(String key, Buffer data, String contentType);

    /** The bytes; fails with ENTITY_NOT_FOUND when there are none under the key. */
    Future<Buffer> get(String key);

    /** Stream of the bytes, for a caller on an event loop, which must read or close it. */
    Future<OutboundStream> open(String key);

    /** Removes the object of a key, if it exists. */
    Future<Void> delete(String key);

    /** Presigned URL for a direct upload of this size, valid for some minutes; empty as for reading. */
    Future<Optional<String>> uploadUrl(String key, long size);

    /** Presigned URL for a direct download, valid for some minutes; empty when clients read through this server. */
    Future<Optional<String>> signedUrl(String key, StoredFile file);
}
