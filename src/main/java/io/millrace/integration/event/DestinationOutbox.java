package io.millrace.integration.event;

import io.millrace.account.audit.AuditEvent;
import io.millrace.account.audit.EventOutbox;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Writes a delivery for each destination that subscribes to a recorded event, in the same transaction. */
public final class DestinationOutbox implements EventOutbox {
    private final EventDeliveryStore store = new EventDeliveryStore();

    @Override
    public Future<Void> add(Tx tx, AuditEvent event) {
        return store.add(
                tx, event.id(), event.created(), event.action().text(), event.body(), event.platformId(), List.of());
    }
}
