package io.millrace.authoring.table.event;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What the worker asks of events that wait to be told. Answered by {@link RecordEventService}. */
sealed interface RecordEvents {
    /** Takes events whose time has come; nobody else has them for the given while. */
    record Claim(Duration validity, int limit) implements RecordEvents, BusRequest<List<EventStore.Claimed>> {}

    /** The event was told, or is given up. */
    record Remove(String eventId) implements RecordEvents, BusRequest<Nothing> {}

    /** The event is told later. */
    record Postpone(String eventId, Instant due) implements RecordEvents, BusRequest<Nothing> {}
}
