package io.millrace.sandbox.program;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Sees that code steps of a platform got packages that may load native code, in the transaction that keeps them. */
@FunctionalInterface
public interface NativeListener {
    Future<Void> installed(Tx tx, String platformId, List<String> packages);
}
