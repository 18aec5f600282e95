package io.millrace.account.audit;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Queue of recorded events for external subscribers; the module above plugs it in. */
@FunctionalInterface
public interface EventOutbox {
    /** Adds an event for each subscriber, in the transaction that records it. */
    Future<Void> add(Tx tx, AuditEvent event);
}
