package io.millrace.integration.analytics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Messages about the usage report of a platform, handled by {@link AnalyticsService}. */
public sealed interface Analytics {
    /**
     * Reads the report of the principal's platform; computed at the first request, later served from the store with its age.
     *
     * @param refreshed true to recompute an outdated report first
     */
    record Show(Principal by, Optional<TimePeriod> period, boolean refreshed)
            implements Analytics, BusRequest<ObjectNode> {}

    /** Ranks projects or users by the time that their flows save. */
    record Rank(Principal by, TimePeriod period, Subject subject) implements Analytics, BusRequest<ArrayNode> {}

    enum Subject {
        PROJECTS,
        USERS
    }
}
