package io.millrace.sandbox.program;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Receives the packages of code steps of a platform that may load native code, in the transaction that stores them. */
@FunctionalInterface
public interface NativeListener {
    Future<Void> installed(Tx tx, String platformId, List<String> packages);
}
