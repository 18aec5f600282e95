package io.millrace.integration.analytics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** What one may ask about the work of a platform. Answered by {@link AnalyticsService}. */
public sealed interface Analytics {
    /**
     * The report on the principal's platform; made at the first question, and then as old as it says.
     *
     * @param refreshed whether a report that is outdated shall be made anew first
     */
    record Show(Principal by, Optional<TimePeriod> period, boolean refreshed)
            implements Analytics, BusRequest<ObjectNode> {}

    /** Whose flows save most time, of projects or of people. */
    record Rank(Principal by, TimePeriod period, Subject subject) implements Analytics, BusRequest<ArrayNode> {}

    /** What a ranking lists. */
    enum Subject {
        PROJECTS,
        USERS
    }
}
