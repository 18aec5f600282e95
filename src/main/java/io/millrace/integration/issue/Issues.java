package io.millrace.integration.issue;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.run.Run;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Requests about issues. Answered by {@link IssueService}. */
public sealed interface Issues {
    /**
     * Filter of issues of a project. An empty list matches all.
     *
     * @param occurredAfter earliest time of the last failure
     * @param occurredBefore latest time of the last failure
     */
    record Filter(
            String projectId,
            List<IssueStatus> statuses,
            List<String> flowIds,
            Optional<Instant> occurredAfter,
            Optional<Instant> occurredBefore) {}

    /** A page of issues, the last failure first. */
    record Find(Filter filter, PageRequest page) implements Issues, BusRequest<Page<FlowIssue>> {}

    /** One issue; fails with ENTITY_NOT_FOUND. */
    record Get(String issueId) implements Issues, BusRequest<IssueCounts> {}

    /** The issue of a failed run; empty if its failure is not counted, as for runs of tests. */
    record FindOfRun(Run run) implements Issues, BusRequest<Optional<IssueCounts>> {}

    /** Changes the status of an issue; fails with ENTITY_NOT_FOUND. */
    record SetStatus(Principal by, String issueId, IssueStatus status) implements Issues, BusRequest<FlowIssue> {}

    /** The project of an issue; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String issueId) implements Issues, BusRequest<String> {}

    /** Counts recorded failures; returns their number. */
    record Count(int limit) implements Issues, BusRequest<Integer> {}

    /** Archives issues without recent failures, and deletes those older than the retention of runs. */
    record Tidy() implements Issues, BusRequest<Nothing> {}

    /**
     * An issue with its failures by day.
     *
     * @param days days with failures within the retention of runs, oldest first
     */
    record IssueCounts(FlowIssue issue, List<FailureDay> days) {
        public IssueCounts {
            days = List.copyOf(days);
        }
    }

    /** Failures of an issue on a day in UTC. */
    record FailureDay(LocalDate day, long occurrences) {}
}
