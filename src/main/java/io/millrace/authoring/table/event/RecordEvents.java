package io.millrace.authoring.table.event;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Requests of the worker about pending events. Handled by {@link RecordEventService}. */
sealed interface RecordEvents {
    /** Claims due events exclusively for the given time. */
    record Claim(Duration validity, int limit) implements RecordEvents, BusRequest<List<EventStore.EventAttempt>> {}

    record Remove(String eventId) implements RecordEvents, BusRequest<Nothing> {}

    record Postpone(String eventId, Instant due) implements RecordEvents, BusRequest<Nothing> {}
}
