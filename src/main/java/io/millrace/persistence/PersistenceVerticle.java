package io.millrace.persistence;

import io.millrace.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;

/** Persistence: the one verticle in which the services of all rooms meet the database. */
public final class PersistenceVerticle extends VerticleBase {
    private final Bus bus;
    private final List<Desk> desks;

    public PersistenceVerticle(Bus bus, List<Desk> desks) {
        this.bus = bus;
        this.desks = List.copyOf(desks);
    }

    @Override
    public Future<?> start() {
        desks.forEach(desk -> desk.open(bus));
        return Future.succeededFuture();
    }
}
