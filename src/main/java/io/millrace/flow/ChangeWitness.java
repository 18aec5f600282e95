package io.millrace.flow;

import io.millrace.flow.FlowChanges.Applied;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;

/** Sees each change of a flow inside the transaction that makes it. */
@FunctionalInterface
interface ChangeWitness {
    /** For what the server does by itself, which is no event. */
    ChangeWitness NOBODY = (_, _) -> Future.succeededFuture();

    Future<Void> record(Tx tx, Applied applied);
}
