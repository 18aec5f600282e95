package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Notified of each change of a flow inside the transaction of the change. */
@FunctionalInterface
interface FlowChangeListener {
    /** For changes by the server itself, which are not recorded as events. */
    FlowChangeListener NOBODY = (_, _) -> Future.succeededFuture();

    Future<Void> record(Tx tx, ChangeResult applied);
}
