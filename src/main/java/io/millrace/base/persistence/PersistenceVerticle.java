package io.millrace.base.persistence;

import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;

/**
 * Verticle of the database services of modules. One instance has the services that exist once in a node; one on each event
 * loop for calls has the frequently used ones, so that their requests stay on the loop (decision 0212). Other verticles send
 * requests over the bus.
 */
public final class PersistenceVerticle extends VerticleBase {
    private final Bus bus;
    private final List<BusService> services;

    public PersistenceVerticle(Bus bus, List<BusService> services) {
        this.bus = bus;
        this.services = List.copyOf(services);
    }

    @Override
    public Future<?> start() {
        services.forEach(service -> service.open(bus));
        return Future.succeededFuture();
    }
}
