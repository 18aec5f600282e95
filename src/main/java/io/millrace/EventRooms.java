package io.millrace;

import io.millrace.audit.AuditRoutes;
import io.millrace.audit.AuditService;
import io.millrace.event.EventCourier;
import io.millrace.event.EventDestinationRoutes;
import io.millrace.event.EventDestinationService;
import io.millrace.event.EventPost;
import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.persistence.RoundsVerticle;
import java.time.Duration;
import java.util.List;

/** What has happened: written down, and told to those outside who want to hear of it. */
final class EventRooms implements Wing {
    /** A request that sends an event ends a moment after the event's time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(5);

    private final Ground ground;
    private final EventPost post;
    private final List<Desk> desks;

    EventRooms(Ground ground) {
        this.ground = ground;
        var database = ground.database();
        var clock = ground.clock();
        post = new EventPost(
                ground.bus(), ground.outbound(), List.of(ground.callerUrl(), ground.publicUrl()), timeout(), clock);
        desks = List.of(
                new EventDestinationService(database, post, ground.box(), clock),
                new AuditService(database, ground.retention(), clock));
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new AuditRoutes(bus),
                new EventDestinationRoutes(bus, timeout().plus(ALLOWANCE).toMillis()));
    }

    @Override
    public List<RoundsVerticle> couriers() {
        return List.of(new EventCourier(ground.database(), post, ground.box(), timeout(), ground.clock()));
    }

    private Duration timeout() {
        return ground.config().outbound().eventTimeout();
    }
}
