package io.millrace.base.persistence;

import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;

/** Persistence: the one verticle in which the services of all modules meet the database. */
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
