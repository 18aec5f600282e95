package io.millrace.workspace.connection;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** What the services of the module share. */
record ConnectionParts(
        Bus bus,
        Database database,
        ConnectionSaving saving,
        ConnectionVault vault,
        FlowConnections flows,
        ConnectionStore store,
        ProjectLinkStore links,
        ConnectionAudit auditLog,
        InstantSource clock) {
    /** Tells everybody of a connection that was made or changed. */
    void announce(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Upserted(connection));
    }

    /** Tells everybody of a connection that is gone. */
    void announceDeleted(AppConnection connection) {
        vault.forget();
        bus.publish(new Connections.Deleted(connection));
    }

    /** As exact as a row keeps it. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
