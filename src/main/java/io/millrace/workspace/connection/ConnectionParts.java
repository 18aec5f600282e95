package io.millrace.workspace.connection;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

record ConnectionParts(
        Bus bus,
        Database database,
        ConnectionSaving saving,
        ConnectionVault vault,
        FlowConnections flows,
        Stores stores,
        ConnectionAudit auditLog,
        InstantSource clock) {
    record Stores(ConnectionStore connections, ProjectLinkStore links) {}

    void announce(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Upserted(connection));
    }

    void announceDeleted(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Deleted(connection));
    }

    /** Current time in the precision of the database. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
