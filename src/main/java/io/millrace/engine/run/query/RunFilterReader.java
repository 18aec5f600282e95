package io.millrace.engine.run.query;

import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import java.util.List;
import java.util.Optional;

/** Parses filters of runs: from a query (contract flows-and-engine 5.4), or from a body (5.7). */
final class RunFilterReader {
    private static final String RUN_IDS = "flowRunIds";

    /** Matches no run: no id is empty. */
    private static final List<String> NO_RUN = List.of("");

    private RunFilterReader() {}

    static RunQueries.Filter ofList(Fields query) {
        return new RunQueries.Filter(
                query.text("projectId", Ids.PATTERN),
                query.texts("flowId"),
                query.options("status", RunStatus.class),
                query.texts("tags"),
                new RunQueries.Filter.RunIdSets(query.texts(RUN_IDS), List.of(), query.optionalText("replayOf")),
                new RunQueries.Filter.CreationRange(
                        query.optionalInstant("createdAfter"), query.optionalInstant("createdBefore")),
                new RunQueries.Filter.FailedStepFilter(
                        query.optionalText("failedStepName"), query.optionalText("failedStepMessage")),
                query.optionalFlag("includeArchived").orElse(false));
    }

    /** Filter of counts: all but the archived runs of a project, optionally within a period. */
    static RunQueries.Filter ofCount(Fields query) {
        return new RunQueries.Filter(
                query.text("projectId", Ids.PATTERN),
                List.of(),
                List.of(),
                List.of(),
                new RunQueries.Filter.RunIdSets(List.of(), List.of(), Optional.empty()),
                new RunQueries.Filter.CreationRange(
                        query.optionalInstant("createdAfter"), query.optionalInstant("createdBefore")),
                new RunQueries.Filter.FailedStepFilter(Optional.empty(), Optional.empty()),
                false);
    }

    /**
     * Filter of retries. Runs given by id are taken regardless of their status; otherwise, without a status in the
     * filter, those that failed: successful and canceled runs are excluded.
     */
    static RunQueries.Filter ofRetry(Fields body) {
        var statuses = body.options("status", RunStatus.class);
        var isNamed = body.has(RUN_IDS);
        return ofBody(body, statuses.isEmpty() && !isNamed ? RunStatus.FAILURES : statuses, true, isNamed);
    }

    private enum CancelStatus {
        PAUSED,
        QUEUED
    }

    /**
     * Filter of cancellations: waiting runs, when a filter selects them. Runs given by id are canceled while they
     * execute as well, which exceeds the contract: an explicit id expresses the intent to stop.
     */
    static RunQueries.Filter ofCancel(Fields body) {
        var wanted = body.options("status", CancelStatus.class);
        var isNamed = body.has(RUN_IDS);
        List<RunStatus> statuses;
        if (wanted.isEmpty()) {
            statuses = isNamed ? List.of() : List.of(RunStatus.PAUSED, RunStatus.QUEUED);
        } else {
            statuses = wanted.stream()
                    .map(status -> RunStatus.valueOf(status.name()))
                    .toList();
        }
        return ofBody(body, statuses, false, true);
    }

    static RunQueries.Filter ofArchive(Fields body) {
        return ofBody(body, body.options("status", RunStatus.class), true, false);
    }

    private static RunQueries.Filter ofBody(
            Fields body, List<RunStatus> statuses, boolean byFailedStep, boolean includeArchived) {
        return new RunQueries.Filter(
                body.text("projectId", Ids.PATTERN),
                body.texts("flowId"),
                statuses,
                List.of(),
                new RunQueries.Filter.RunIdSets(named(body), body.texts("excludeFlowRunIds"), Optional.empty()),
                new RunQueries.Filter.CreationRange(
                        body.optionalInstant("createdAfter"), body.optionalInstant("createdBefore")),
                new RunQueries.Filter.FailedStepFilter(
                        byFailedStep ? body.optionalText("failedStepName") : Optional.empty(),
                        byFailedStep ? body.optionalText("failedStepMessage") : Optional.empty()),
                includeArchived);
    }

    /** An empty list names no run. Without a list the other criteria select (5.7). */
    private static List<String> named(Fields body) {
        return body.optionalTexts(RUN_IDS)
                .map(ids -> ids.isEmpty() ? NO_RUN : ids)
                .orElse(List.of());
    }
}
