package io.millrace.engine.run.store;

import io.millrace.base.persistence.Values;
import io.millrace.base.persistence.WhereClause;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The where clause of a {@link Runs.Filter}. What most runs fulfil is said so that PostgreSQL takes it for likely while it has
 * no statistics of a day: of an equality it expects one row of two hundred, of {@code is null} as few, and it would read and sort
 * all of a project's runs where an index has them in order.
 */
public final class RunConditions {
    private static final String IS_PRODUCTION = "r.environment <> 'TESTING'";
    private static final String IS_NOT_ARCHIVED = "num_nulls(r.archived_at) <> 0";

    private RunConditions() {}

    public static WhereClause of(Runs.Filter filter) {
        var conditions = new WhereClause("where " + IS_PRODUCTION);
        conditions.and("r.project_id = %s", filter.projectId()).andAny("r.flow_id %s", filter.flowIds());
        addStatuses(conditions, filter);
        conditions.andAny("r.id %s", filter.runIds());
        if (!filter.tags().isEmpty()) {
            conditions.and("r.tags <> '{}' and r.tags @> %s", Values.texts(filter.tags()));
        }
        if (!filter.excludedRunIds().isEmpty()) {
            conditions.and("r.id <> all(%s)", Values.texts(filter.excludedRunIds()));
        }
        conditions
                .and("r.created >= %s", filter.createdAfter())
                .and("r.created < %s", filter.createdBefore().map(RunConditions::nextMillisecond))
                .and("r.failed_step_name = %s", filter.failedStepName())
                .and("position(lower(%s) in lower(r.failed_step_message)) > 0", filter.failedStepMessage());
        return filter.includeArchived() ? conditions : conditions.and(IS_NOT_ARCHIVED);
    }

    /** Says what follows from the wish as well, because there is an index of unsuccessful runs. */
    private static void addStatuses(WhereClause conditions, Runs.Filter filter) {
        conditions.andAny(
                "r.status %s", filter.statuses().stream().map(RunStatus::name).toList());
        var isUnsuccessful = !filter.statuses().isEmpty() && !filter.statuses().contains(RunStatus.SUCCEEDED);
        if (isUnsuccessful || filter.wantsFailedStep()) {
            conditions.and("r.status <> 'SUCCEEDED'");
        }
    }

    /** Bounds are given in milliseconds and include the last one; runs are created at microseconds. */
    private static Instant nextMillisecond(Instant until) {
        return until.truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
    }
}
