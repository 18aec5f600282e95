package io.millrace.engine.run.store;

import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.persistence.statement.WhereClause;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;

/**
 * The where clause of a {@link RunQueries.Filter}. Conditions that most runs fulfil are written so that PostgreSQL estimates
 * them as likely while it has no statistics of a day: for an equality it expects one row of two hundred, for
 * {@code is null} as few, and it would read and sort all of a project's runs where an index has them in order.
 */
public final class RunConditions {
    private static final String IS_PRODUCTION = "r.environment <> 'TESTING'";
    private static final String IS_NOT_ARCHIVED = "num_nulls(r.archived_at) <> 0";

    /** Spelled as in the constraints of both tables: PostgreSQL compares the two. */
    private static final String LIVE = "'QUEUED', 'RUNNING', 'PAUSED'";

    private RunConditions() {}

    public static WhereClause of(RunQueries.Filter filter) {
        return of(filter, new PageRequest(1, null, false));
    }

    /** Bounds are narrowed to the key of the page. */
    static WhereClause of(RunQueries.Filter filter, PageRequest page) {
        var conditions = new WhereClause("where " + IS_PRODUCTION);
        conditions.and("r.project_id = %s", filter.projectId()).andAny("r.flow_id %s", filter.flowIds());
        addStatuses(conditions, filter);
        conditions.andAny("r.id %s", filter.ids().included());
        if (!filter.tags().isEmpty()) {
            conditions.and("r.tags <> '{}' and r.tags @> %s", Values.texts(filter.tags()));
        }
        if (!filter.ids().excluded().isEmpty()) {
            conditions.and("r.id <> all(%s)", Values.texts(filter.ids().excluded()));
        }
        conditions
                .and("r.created >= %s", page.lowerBound(filter.created().after()))
                .and(
                        "r.created < %s",
                        page.upperBound(filter.created().before()).map(RunConditions::nextMillisecond))
                .and("r.failed_step_name = %s", filter.failure().stepName())
                .and(
                        "position(lower(%s) in lower(r.failed_step_message)) > 0",
                        filter.failure().message())
                .and(
                        "r.id in (select p.run_id from run_replay p where p.replay_of = %s)",
                        filter.ids().replayOf());
        return filter.includeArchived() ? conditions : conditions.and(IS_NOT_ARCHIVED);
    }

    /**
     * Adds implied conditions as well: there are indexes of the runs that are not paused and of those that were not
     * successful, and in one of the two tables there may be no such run at all (decision 0209).
     */
    private static void addStatuses(WhereClause conditions, RunQueries.Filter filter) {
        var wanted = filter.statuses();
        conditions.andAny("r.status %s", wanted.stream().map(RunStatus::name).toList());
        if (filter.wantsFailedStep() || isNone(wanted, RunStatus.SUCCEEDED::equals)) {
            conditions.and("r.status <> 'SUCCEEDED'");
        }
        if (isNone(wanted, RunStatus.PAUSED::equals)) {
            conditions.and("r.status <> 'PAUSED'");
        }
        if (isNone(wanted, RunStatus::isTerminal)) {
            conditions.and("r.status in (" + LIVE + ")");
        } else if (isNone(wanted, status -> !status.isTerminal())) {
            conditions.and("r.status not in (" + LIVE + ")");
        }
    }

    private static boolean isNone(List<RunStatus> wanted, Predicate<RunStatus> these) {
        return !wanted.isEmpty() && wanted.stream().noneMatch(these);
    }

    /** Bounds are given in milliseconds, inclusive; creation times of runs have microseconds. */
    private static Instant nextMillisecond(Instant until) {
        return until.truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
    }
}
