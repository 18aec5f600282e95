package io.millrace.base.http.server;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.ext.web.Route;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Counts requests by route and status, as the route is mounted: what callers put into their addresses makes no figures of its
 * own. Lives on one event loop; the counters are those of all.
 */
final class RequestMeters {
    private static final String UNKNOWN = "unknown";

    private final MeterSet meters;
    private final IdentityHashMap<Route, Map<Integer, EventCounter>> byRoute = new IdentityHashMap<>();

    RequestMeters(MeterSet meters) {
        this.meters = meters;
    }

    /** @param route the last one that had the request; null or without a path when none knows it */
    void count(Route route, int status) {
        byRoute.computeIfAbsent(route, _ -> new HashMap<>())
                .computeIfAbsent(status, _ -> counter(route, status))
                .increment();
    }

    private EventCounter counter(Route route, int status) {
        var path = route == null || route.getPath() == null ? UNKNOWN : route.getPath();
        return meters.counter(ServerMeter.HTTP_REQUESTS, path, Integer.toString(status));
    }
}
