package io.millrace.workspace.connection;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Dependencies shared by the services of the module. */
record ConnectionParts(
        Bus bus,
        Database database,
        ConnectionSaving saving,
        ConnectionVault vault,
        FlowConnections flows,
        Stores stores,
        ConnectionAudit auditLog,
        InstantSource clock) {
    /** Stores of connections and of their projects. */
    record Stores(ConnectionStore connections, ProjectLinkStore links) {}

    /** Publishes the creation or change of a connection and clears cached values. */
    void announce(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Upserted(connection));
    }

    /** Publishes the deletion of a connection and clears cached values. */
    void announceDeleted(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Deleted(connection));
    }

    /** Current time in the precision of the database. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
