package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.vertx.core.Future;

/** Provides the credentials of a bucket. */
@FunctionalInterface
public interface BucketKeys {
    /** Credentials that remain valid for some minutes; fails when there are none. */
    Future<CloudKey> current();

    /** Always the same key. */
    static BucketKeys of(CloudKey key) {
        return () -> Future.succeededFuture(key);
    }
}
