package io.millrace.integration.mcp;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;

public final class McpSessionService implements BusService {
    /** Lifetime of a session; clients start a new one after its end. */
    private static final Duration LIFETIME = Duration.ofDays(7);

    private static final int ID_LENGTH = 43;

    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final McpSessionStore store = new McpSessionStore();

    public McpSessionService(Bus bus, Database database, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(McpSessions.Begin.class, this::begin);
        bus.serve(
                McpSessions.Find.class,
                ask -> database.read(tx -> store.find(tx, ask.id(), ask.holder(), clock.instant())));
        bus.serve(McpSessions.End.class, this::end);
    }

    private Future<String> begin(McpSessions.Begin ask) {
        var id = Ids.random(ID_LENGTH);
        var now = clock.instant();
        return database.inTransaction(tx -> store.deleteExpired(tx, now)
                        .compose(_ -> store.insert(tx, id, now, ask.holder(), ask.revision(), now.plus(LIFETIME))))
                .map(id);
    }

    private Future<Nothing> end(McpSessions.End ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.holder()))
                .onSuccess(_ -> bus.publish(new McpSessions.Ended(ask.id())))
                .map(Nothing.DONE);
    }
}
