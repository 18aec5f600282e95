package io.millrace.account.audit;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests about the audit log. Answered by {@link AuditService}. */
public sealed interface AuditEvents {
    /** Filter of events; an empty list matches all. */
    record Filter(
            List<EventAction> actions,
            List<String> projectIds,
            Optional<String> userId,
            Optional<Instant> createdAfter,
            Optional<Instant> createdBefore) {}

    /** The events of the caller's platform, newest first. */
    record Find(Principal by, Filter filter, PageRequest page) implements AuditEvents, BusRequest<Page<AuditEvent>> {}

    record Verify(Principal by) implements AuditEvents, BusRequest<Verdict> {}

    /**
     * Result of the verification of a chain.
     *
     * @param events number of verified events, from the oldest on
     * @param isIntact false when the next event was changed or is missing
     */
    record Verdict(long events, boolean isIntact) {}
}
