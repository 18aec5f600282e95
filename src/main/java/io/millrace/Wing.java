package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.persistence.RoundsVerticle;
import java.util.List;

/**
 * Rooms that belong together, built and wired by one class. {@link Rooms} says which wings there are and which one
 * needs which.
 */
interface Wing {
    /** What answers messages in the persistence verticle; built once. */
    default List<Desk> desks() {
        return List.of();
    }

    /** The routes, built anew for each instance of the HTTP verticle. */
    default List<HttpModule> modules() {
        return List.of();
    }

    /** Who carries out what waits in the database; deployed once, when everybody can answer. */
    default List<RoundsVerticle> couriers() {
        return List.of();
    }
}
