package io.millrace.app.module;

import io.millrace.account.audit.AuditRoutes;
import io.millrace.account.audit.AuditService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.base.persistence.RowBound;
import io.millrace.integration.event.DeliveryQueueService;
import io.millrace.integration.event.EventDeliveryWorker;
import io.millrace.integration.event.EventDestinationRoutes;
import io.millrace.integration.event.EventDestinationService;
import io.millrace.integration.event.EventSender;
import java.time.Duration;
import java.util.List;

final class EventModule implements ServerModule {
    /** A request that sends an event ends a moment after the event's time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(5);

    private final ServerContext context;
    private final EventSender post;
    private final List<BusService> busServices;

    EventModule(ServerContext context) {
        this.context = context;
        var database = context.database();
        var clock = context.clock();
        post = new EventSender(
                context.bus(),
                context.network().services().toHosts(HostClass.EVENT_DESTINATION),
                List.of(context.callerUrl(), context.network().publicUrl()),
                timeout(),
                context.observation().tracer(),
                clock);
        busServices = List.of(
                new EventDestinationService(
                        database,
                        post,
                        context.security().box(),
                        new RowBound(
                                context.config().content().bounds().platform().eventDestinationsMax(),
                                "AP_EVENT_DESTINATIONS_MAX"),
                        clock),
                new DeliveryQueueService(database, post, clock),
                new AuditService(database, context.retention(), clock));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new AuditRoutes(bus),
                new EventDestinationRoutes(bus, timeout().plus(ALLOWANCE).toMillis()));
    }

    @Override
    public List<PollingVerticle> workers() {
        return List.of(
                new EventDeliveryWorker(context.bus(), post, context.security().box(), timeout(), context.clock()));
    }

    private Duration timeout() {
        return context.config().network().outbound().eventTimeout();
    }
}
