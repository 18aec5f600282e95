package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.vertx.core.Future;

@FunctionalInterface
public interface BucketKeys {
    /** Credentials that remain valid for some minutes; fails when there are none. */
    Future<CloudKey> current();

    static BucketKeys of(CloudKey key) {
        return () -> Future.succeededFuture(key);
    }
}
