package io.millrace.base.persistence;

import io.millrace.base.bus.Bus;

/** A module's service on the bus: one line per message. Runs in a {@link PersistenceVerticle}. */
@FunctionalInterface
public interface BusService {
    void open(Bus bus);
}
