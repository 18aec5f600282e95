package io.millrace.base.persistence;

import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;

/**
 * Persistence: the verticle in which the services of modules meet the database. One has what there is once in a node; one
 * on each event loop that takes calls has what is asked for there all the time, so that nothing hops (decision 0212).
 * Whoever else needs a row asks over the bus.
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
