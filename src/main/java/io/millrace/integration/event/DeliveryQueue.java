package io.millrace.integration.event;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages of the worker about pending deliveries, handled by {@link DeliveryQueueService}. */
sealed interface DeliveryQueue {
    /** Creates deliveries of run events; returns the number of events. */
    record Spread(int limit) implements DeliveryQueue, BusRequest<Integer> {}

    /**
     * Claims due deliveries; no other worker gets them during the validity.
     *
     * @param perDestination most deliveries in flight for one destination
     * @param underWay deliveries in flight, by destination
     */
    record Claim(Duration validity, int limit, int perDestination, Map<String, Integer> underWay)
            implements DeliveryQueue, BusRequest<List<EventDeliveryStore.DeliveryAttempt>> {}

    record Delivered(String id) implements DeliveryQueue, BusRequest<Nothing> {}

    /** The receiver did not accept the delivery; without a next time it is abandoned. */
    record Failed(String id, Optional<Instant> again, String reason) implements DeliveryQueue, BusRequest<Nothing> {}

    record Forget(Duration kept) implements DeliveryQueue, BusRequest<Nothing> {}
}
