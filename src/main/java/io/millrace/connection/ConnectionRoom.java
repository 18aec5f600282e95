package io.millrace.connection;

import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.oauth.TokenExchange;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.secret.SecretBox;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;

/** Builds the services of the room, which share a vault and stores. */
public final class ConnectionRoom {
    private final ConnectionVault vault;
    private final ConnectionStates states;
    private final List<Desk> desks;

    /** @param flows what the room above knows of connections */
    public ConnectionRoom(
            Vertx vertx,
            Bus bus,
            Database database,
            SecretBox box,
            TokenExchange tokens,
            FlowConnections flows,
            AuditTrail auditTrail,
            InstantSource clock) {
        var trail = new ConnectionTrail(auditTrail);
        var store = new ConnectionStore();
        var links = new ProjectLinkStore();
        var secrets = new ConnectionSecrets(bus);
        var check = new ConnectionCheck(bus, tokens, secrets, ConnectionCheck.ROLE_DEADLINE);
        var renewal = new TokenRenewal(vertx, bus, database, box, tokens, secrets, clock);
        var saving = new ConnectionSaving(bus, database, box, check, clock, store, links, trail);
        var recheck = new ConnectionRecheck(database, box, check, renewal, clock, store);
        vault = new ConnectionVault(bus, database, box, renewal, secrets, clock);
        var parts = new ConnectionParts(bus, database, saving, vault, flows, store, links, trail, clock);
        states = new ConnectionStates(parts, box);
        desks = List.of(vault, new ConnectionService(parts, recheck), new GlobalConnectionService(parts));
    }

    /** For the room that carries connections from one project to another. */
    public ConnectionStates states() {
        return states;
    }

    public List<Desk> desks() {
        return desks;
    }

    /** For the project room. */
    public ProjectConnections projectConnections() {
        return new ProjectConnections(vault);
    }
}
