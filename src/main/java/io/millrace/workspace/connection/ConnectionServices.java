package io.millrace.workspace.connection;

import io.millrace.account.audit.AuditLog;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.SecretBox;
import io.millrace.workspace.connection.credential.ConnectionSecrets;
import io.millrace.workspace.connection.credential.TokenRenewal;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;

/** Builds the services of the module, which share a vault and stores. */
public final class ConnectionServices {
    private final ConnectionVault vault;
    private final ConnectionStates states;
    private final List<BusService> busServices;

    /**
     * @param flows use of connections by flows, from the module above
     * @param bound limit of a project's own connections
     */
    public ConnectionServices(
            Vertx vertx,
            Bus bus,
            Database database,
            SecretBox box,
            FlowConnections flows,
            AuditLog auditTrail,
            RowBound bound,
            InstantSource clock) {
        var auditLog = new ConnectionAudit(auditTrail);
        var store = new ConnectionStore();
        var links = new ProjectLinkStore();
        var secrets = new ConnectionSecrets(bus);
        var check = new ConnectionCheck(bus, secrets, ConnectionCheck.ROLE_DEADLINE, clock);
        var renewal = new TokenRenewal(vertx, bus, database, box, secrets, clock);
        var saving = new ConnectionSaving(bus, database, box, check, clock, store, links, auditLog, bound);
        var recheck = new ConnectionRecheck(database, box, check, renewal, clock, store);
        vault = new ConnectionVault(bus, database, box, renewal, secrets, clock);
        var parts = new ConnectionParts(
                bus, database, saving, vault, flows, new ConnectionParts.Stores(store, links), auditLog, clock);
        states = new ConnectionStates(parts, box, bound);
        busServices = List.of(vault, new ConnectionService(parts, recheck), new GlobalConnectionService(parts));
    }

    public ConnectionStates states() {
        return states;
    }

    public List<BusService> busServices() {
        return busServices;
    }

    public ProjectConnections projectConnections() {
        return new ProjectConnections(vault);
    }
}
