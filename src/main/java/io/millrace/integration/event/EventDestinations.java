package io.millrace.integration.event;

import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;

/** Messages about event destinations, handled by {@link EventDestinationService}. */
public sealed interface EventDestinations {
    /** A new destination, and the secret with which its receiver verifies signatures. */
    record NewDestination(EventDestination destination, String secret) {
        @Override
        public String toString() {
            return "NewDestination[" + destination.id() + "]";
        }
    }

    record Create(Principal by, List<EventAction> events, String url)
            implements EventDestinations, BusRequest<NewDestination> {}

    /** Fails with ENTITY_NOT_FOUND, as all messages that name a destination. */
    record Update(Principal by, String id, List<EventAction> events, String url)
            implements EventDestinations, BusRequest<EventDestination> {}

    /** Destinations of the caller's platform, newest first. */
    record Find(Principal by, PageRequest page) implements EventDestinations, BusRequest<Page<EventDestination>> {}

    record Delete(Principal by, String id) implements EventDestinations, BusRequest<Nothing> {}

    /** Deliveries to a destination, newest first. */
    record FindDeliveries(Principal by, String id, PageRequest page)
            implements EventDestinations, BusRequest<Page<EventDelivery>> {}

    /** Sends a sample; fails with VALIDATION when the receiver does not accept it. */
    record Test(Principal by, String url, EventAction event) implements EventDestinations, BusRequest<Nothing> {}
}
