package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import java.util.List;

/**
 * Parts that belong together, built and wired by one class. {@link ServerModules} says which all there are and which one
 * needs which.
 */
interface ServerModule {
    /** What answers messages in the one persistence verticle of the whole node; built once. */
    default List<BusService> busServices() {
        return List.of();
    }

    /**
     * What answers messages in the persistence verticle of each event loop that takes calls, built anew for each: what
     * runs and requests ask for all the time, and what keeps nothing that another instance must know (decision 0212).
     */
    default List<BusService> loopServices() {
        return List.of();
    }

    /** What answers messages in the persistence verticle beside the OAuth verticle; built once. */
    default List<BusService> oauthServices() {
        return List.of();
    }

    /** The routes, built anew for each instance of the HTTP verticle. */
    default List<RouteGroup> routeGroups() {
        return List.of();
    }

    /** Who carries out what waits in the database; deployed once, when everybody can answer. */
    default List<PollingVerticle> workers() {
        return List.of();
    }
}
