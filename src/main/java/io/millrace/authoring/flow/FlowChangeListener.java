package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.Applied;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Sees each change of a flow inside the transaction that makes it. */
@FunctionalInterface
interface FlowChangeListener {
    /** For what the server does by itself, which is no event. */
    FlowChangeListener NOBODY = (_, _) -> Future.succeededFuture();

    Future<Void> record(Tx tx, Applied applied);
}
