package io.millrace.integration.activity;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;
import java.util.Optional;

sealed interface ProjectEvents {
    /**
     * Begins to record the events of a project.
     *
     * @param last position of a listener that reconnects
     */
    record Begin(String projectId, Optional<EventPosition> last) implements ProjectEvents, BusRequest<Beginning> {}

    /**
     * Begin of a stream.
     *
     * @param from position after which events follow
     * @param continues whether no event after the listener's position was lost
     */
    record Beginning(EventPosition from, boolean continues) {}

    record Renew(List<String> projectIds) implements ProjectEvents, BusRequest<Nothing> {}

    /** Events of projects after a position, of ended transactions only; at most a number. */
    record Read(List<String> projectIds, EventPosition after, int limit) implements ProjectEvents, BusRequest<Batch> {}

    /**
     * Events in their order.
     *
     * @param upTo position up to which all events were read
     */
    record Batch(List<ProjectEvent> events, EventPosition upTo) {
        public Batch {
            events = List.copyOf(events);
        }
    }

    /** Deletes old events, and ends the recording for projects that have had no listener for an hour. */
    record Tidy() implements ProjectEvents, BusRequest<Nothing> {}
}
