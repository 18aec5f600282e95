package io.millrace.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The where clause of a {@link Runs.Filter}. Only wishes that were expressed become conditions: the planner then sees
 * which days and which index are enough, which a clause of "is null or" would hide from it.
 */
final class RunConditions {
    private final StringBuilder sql = new StringBuilder("where r.environment = 'PRODUCTION'");
    private final List<Object> values = new ArrayList<>();

    private RunConditions() {}

    static RunConditions of(Runs.Filter filter) {
        var conditions = new RunConditions();
        conditions.add("r.project_id = $%d", filter.projectId());
        conditions.addAny("r.flow_id", filter.flowIds());
        conditions.addStatuses(filter);
        conditions.addAny("r.id", filter.runIds());
        if (!filter.tags().isEmpty()) {
            conditions.add("r.tags @> $%d", array(filter.tags()));
        }
        if (!filter.excludedRunIds().isEmpty()) {
            conditions.add("r.id <> all($%d)", array(filter.excludedRunIds()));
        }
        filter.createdAfter().ifPresent(from -> conditions.add("r.created >= $%d", from));
        filter.createdBefore().ifPresent(until -> conditions.add("r.created < $%d", nextMillisecond(until)));
        filter.failedStepName().ifPresent(name -> conditions.add("r.failed_step_name = $%d", name));
        filter.failedStepMessage()
                .ifPresent(text -> conditions.add("position(lower($%d) in lower(r.failed_step_message)) > 0", text));
        if (!filter.includeArchived()) {
            conditions.sql.append(" and r.archived_at is null");
        }
        return conditions;
    }

    String sql() {
        return sql.toString();
    }

    Object[] values() {
        return values.toArray();
    }

    /** Says what follows from the wish as well, because there is an index of unsuccessful runs. */
    private void addStatuses(Runs.Filter filter) {
        addAny("r.status", filter.statuses().stream().map(RunStatus::name).toList());
        var isUnsuccessful = !filter.statuses().isEmpty() && !filter.statuses().contains(RunStatus.SUCCEEDED);
        if (isUnsuccessful || filter.wantsFailedStep()) {
            sql.append(" and r.status <> 'SUCCEEDED'");
        }
    }

    /** A single value is compared as such: only then can an index give the order too. */
    private void addAny(String column, List<String> wanted) {
        if (wanted.size() == 1) {
            add(column + " = $%d", wanted.getFirst());
        } else if (!wanted.isEmpty()) {
            add(column + " = any($%d)", array(wanted));
        }
    }

    private void add(String condition, Object value) {
        values.add(value);
        sql.append(" and ").append(condition.formatted(values.size()));
    }

    /** Bounds are given in milliseconds and include the last one; runs are created at microseconds. */
    private static Instant nextMillisecond(Instant until) {
        return until.truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
    }

    private static String[] array(List<String> values) {
        return values.toArray(String[]::new);
    }
}
