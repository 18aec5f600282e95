package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.vertx.core.Future;

/** Hands out the key of a bucket. */
@FunctionalInterface
public interface BucketKeys {
    /** A key that is good for some minutes more; fails when there is none. */
    Future<CloudKey> current();

    /** Always the same key. */
    static BucketKeys of(CloudKey key) {
        return () -> Future.succeededFuture(key);
    }
}
