package io.millrace.base.http.server;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.ext.web.Route;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Counts requests by mounted route and status: values in addresses create no separate metrics. Confined to one event loop;
 * the counters are shared by all.
 */
final class RequestMeters {
    private static final String UNKNOWN = "unknown";

    private final MeterSet meters;
    private final IdentityHashMap<Route, RouteCounts> byRoute = new IdentityHashMap<>();

    RequestMeters(MeterSet meters) {
        this.meters = meters;
    }

    /** @param route the last route that handled the request; null or without a path when none matches */
    void count(Route route, int status) {
        var counts = byRoute.get(route);
        if (counts == null) {
            counts = new RouteCounts(route == null || route.getPath() == null ? UNKNOWN : route.getPath());
            byRoute.put(route, counts);
        }
        counts.count(status);
    }

    /** Most answers of a route have the status of the previous one. */
    private final class RouteCounts {
        private final String path;
        private final Map<Integer, EventCounter> byStatus = new HashMap<>();
        private int lastStatus = -1;
        private EventCounter last;

        RouteCounts(String path) {
            this.path = path;
        }

        void count(int status) {
            if (status != lastStatus) {
                last = byStatus.computeIfAbsent(
                        status, code -> meters.counter(ServerMeter.HTTP_REQUESTS, path, Integer.toString(code)));
                lastStatus = status;
            }
            last.increment();
        }
    }
}
