package io.millrace.persistence;

import io.millrace.bus.Bus;

/** A room's service on the bus: one line per message. Runs in the persistence verticle. */
@FunctionalInterface
public interface Desk {
    void open(Bus bus);
}
