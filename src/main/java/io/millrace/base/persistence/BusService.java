package io.millrace.base.persistence;

import io.millrace.base.bus.Bus;

/** A module's service on the bus: one line per message. Runs in the persistence verticle, or in that of OAuth. */
@FunctionalInterface
public interface BusService {
    void open(Bus bus);
}
