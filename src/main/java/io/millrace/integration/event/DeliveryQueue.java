package io.millrace.integration.event;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the worker asks of deliveries that wait. Answered by {@link DeliveryQueueService}. */
sealed interface DeliveryQueue {
    /** Makes deliveries of what runs did; answers how many events there were. */
    record Spread(int limit) implements DeliveryQueue, BusRequest<Integer> {}

    /**
     * Takes deliveries whose time has come; nobody else has them for the given while.
     *
     * @param perDestination how many of one destination may be under way
     * @param underWay how many are, by destination
     */
    record Claim(Duration validity, int limit, int perDestination, Map<String, Integer> underWay)
            implements DeliveryQueue, BusRequest<List<EventDeliveryStore.Claimed>> {}

    /** The destination has taken it. */
    record Delivered(String id) implements DeliveryQueue, BusRequest<Nothing> {}

    /** It was not taken; without a next time it is given up. */
    record Failed(String id, Optional<Instant> again, String reason) implements DeliveryQueue, BusRequest<Nothing> {}

    /** Forgets deliveries that ended so long ago. */
    record Forget(Duration kept) implements DeliveryQueue, BusRequest<Nothing> {}
}
