package io.millrace.integration.issue;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

final class FailureStore {
    private static final String PENDING = """
            select sequence, run_id, project_id, flow_id, failed, status, failed_step_name, failed_step_display_name,
                   failed_step_message
              from run_failure order by sequence limit $1
            """;

    /** Rows that another node is counting are left to it. */
    private static final String TAKE = """
            with taken as (
                delete from run_failure
                 where sequence in (
                       select sequence from run_failure where sequence = any($1) order by sequence for update skip locked)
                returning *)
            select t.sequence, t.run_id, t.project_id, t.flow_id, t.failed, t.status, t.failed_step_name,
                   t.failed_step_display_name, t.failed_step_message
              from taken t join flow f on f.id = t.flow_id order by t.sequence
            """;

    private static final RowMapper<RecordedFailure> FAILURES = RowMapper.of(RecordedFailure.class, PENDING, TAKE);

    /** A failure that happened before the status was changed does not change it back. */
    private static final String ADD = """
            insert into flow_issue as i (id, created, updated, project_id, flow_id, cause_key, cause, run_status, step_name,
                   step_display_name, message, status, status_changed, occurrences, first_occurrence, last_occurrence,
                   last_run_id)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'UNRESOLVED', 'epoch', $11, $12, $13, $14)
            on conflict (flow_id, cause_key) do update
               set updated = excluded.updated,
                   occurrences = i.occurrences + excluded.occurrences,
                   first_occurrence = least(i.first_occurrence, excluded.first_occurrence),
                   step_display_name = excluded.step_display_name,
                   message = case when excluded.last_occurrence >= i.last_occurrence then excluded.message
                             else i.message end,
                   last_run_id = case when excluded.last_occurrence >= i.last_occurrence then excluded.last_run_id
                                 else i.last_run_id end,
                   last_occurrence = greatest(i.last_occurrence, excluded.last_occurrence),
                   status = case when excluded.last_occurrence > i.status_changed then 'UNRESOLVED' else i.status end
            returning id
            """;

    private static final String ADD_DAYS = """
            insert into flow_issue_day as d (issue_id, day, occurrences)
            select $1, n.day::date, n.occurrences from unnest($2::text[], $3::bigint[]) as n (day, occurrences)
            on conflict (issue_id, day) do update set occurrences = d.occurrences + excluded.occurrences
            """;

    private static final String COUNTS =
            "select flow_id, count(*) as issues from flow_issue where flow_id = any($1) group by flow_id";

    private static final RowMapper<IssueCount> COUNT_ROWS = RowMapper.of(IssueCount.class, COUNTS);

    private record IssueCount(String flowId, long issues) {}

    Future<List<RecordedFailure>> pending(Tx tx, int limit) {
        return tx.query(PENDING, limit).map(FAILURES::all);
    }

    /** Failures of deleted flows are dropped. */
    Future<List<RecordedFailure>> take(Tx tx, List<RecordedFailure> failures) {
        return tx.query(TAKE, (Object) Values.wholes(failures, RecordedFailure::sequence))
                .map(FAILURES::all);
    }

    /** Flows without any issue are left out. */
    Future<Map<String, Long>> issuesOf(Tx tx, Collection<String> flowIds) {
        return tx.query(COUNTS, (Object) Values.texts(flowIds))
                .map(rows -> COUNT_ROWS.all(rows).stream()
                        .collect(Collectors.toMap(IssueCount::flowId, IssueCount::issues)));
    }

    Future<Void> add(Tx tx, FailureCount count, String cause, String message, Instant now) {
        var newest = count.newest();
        var isOthers = count.key().text().equals(CauseKey.OTHERS);
        return tx.query(
                        ADD,
                        Ids.next(),
                        now,
                        newest.projectId(),
                        newest.flowId(),
                        count.key().text(),
                        cause,
                        newest.status(),
                        isOthers ? "" : newest.stepName(),
                        isOthers ? "" : newest.stepDisplayName(),
                        message,
                        count.occurrences(),
                        count.first(),
                        newest.failed(),
                        newest.runId())
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")).orElseThrow())
                .compose(id -> tx.query(
                        ADD_DAYS,
                        id,
                        Values.texts(count.days().keySet(), Object::toString),
                        Values.wholes(count.days().values(), occurrences -> occurrences)))
                .mapEmpty();
    }
}
