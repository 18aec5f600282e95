package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import java.util.List;

/** Related services and routes, built and wired by one class. {@link ServerModules} lists all modules and their dependencies. */
interface ServerModule {
    /** Services in the single persistence verticle of the node; built once. */
    default List<BusService> busServices() {
        return List.of();
    }

    /**
     * Services in the persistence verticle of each event loop that accepts calls, built for each loop: services that runs and
     * requests call often and that share no state with another instance (decision 0212).
     */
    default List<BusService> loopServices() {
        return List.of();
    }

    /** Services in the persistence verticle of the OAuth verticle; built once. */
    default List<BusService> oauthServices() {
        return List.of();
    }

    /** The routes, built again for each instance of the HTTP verticle. */
    default List<RouteGroup> routeGroups() {
        return List.of();
    }

    /** Workers that poll the database; deployed once, after all services. */
    default List<PollingVerticle> workers() {
        return List.of();
    }
}
