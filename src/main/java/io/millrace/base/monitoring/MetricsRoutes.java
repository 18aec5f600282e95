package io.millrace.base.monitoring;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.ext.web.RoutingContext;

/** The metrics on the port of the API, for requests with the token; not found where none is set. */
public final class MetricsRoutes implements RouteGroup {
    private final MetricsExposition metrics;

    public MetricsRoutes(MetricsExposition metrics) {
        this.metrics = metrics;
    }

    @Override
    public void mount(Routes routes) {
        routes.onlyAtRoot().rawGet(MetricsExposition.PATH, this::answer);
    }

    private void answer(RoutingContext context) {
        if (!metrics.isOnApiPort()) {
            context.fail(404);
            return;
        }
        var request = context.request();
        metrics.answer(request.getHeader("Authorization"), request.getHeader("Accept"))
                .onSuccess(reply -> reply.sendTo(context))
                .onFailure(context::fail);
    }
}
