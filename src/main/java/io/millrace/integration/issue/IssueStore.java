package io.millrace.integration.issue;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.persistence.statement.WhereClause;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Statements about issues as clients see them. {@link FailureStore} counts failures. */
final class IssueStore {
    private static final String SELECT = """
            select i.id, i.created, i.updated, i.project_id, i.flow_id,
                   coalesce((select v.display_name from flow_version v where v.flow_id = i.flow_id
                              order by v.created desc, v.id desc limit 1), '') as flow_display_name,
                   i.cause, i.run_status, i.step_name, i.step_display_name, i.message, i.status, i.occurrences,
                   i.first_occurrence, i.last_occurrence, i.last_run_id
              from flow_issue i
            """;

    private static final RowMapper<FlowIssue> ISSUES = RowMapper.of(FlowIssue.class, SELECT);

    private static final String DAYS = """
            select day::text as day, occurrences from flow_issue_day where issue_id = $1 order by day desc limit 400
            """;

    private static final RowMapper<DayRow> DAY_ROWS = RowMapper.of(DayRow.class, DAYS);

    private static final String KNOWN = """
            select i.flow_id, i.cause_key as text
              from unnest($1::text[], $2::text[]) as k (flow_id, cause_key)
              join flow_issue i on i.flow_id = k.flow_id and i.cause_key = k.cause_key
            """;

    private static final RowMapper<CauseKey> KEYS = RowMapper.of(CauseKey.class, KNOWN);

    private record DayRow(String day, long occurrences) {
        Issues.FailureDay day(LocalDate at) {
            return new Issues.FailureDay(at, occurrences);
        }
    }

    Future<Page<FlowIssue>> page(Tx tx, Issues.Filter filter, PageRequest page) {
        var conditions = new WhereClause(SELECT + "where true")
                .and("i.project_id = %s", filter.projectId())
                .andAny(
                        "i.status %s",
                        filter.statuses().stream().map(IssueStatus::name).toList())
                .andAny("i.flow_id %s", filter.flowIds())
                .and("i.last_occurrence >= %s", filter.occurredAfter())
                .and("i.last_occurrence <= %s", filter.occurredBefore());
        return tx.page(
                conditions.sql(),
                Paging.newestFirst().on("i.last_occurrence", "i.id"),
                page,
                ISSUES,
                issue -> new PageKey(issue.lastOccurrence(), issue.id()),
                conditions.values());
    }

    Future<Optional<FlowIssue>> find(Tx tx, String id) {
        return tx.query(SELECT + "where i.id = $1", id).map(ISSUES::first);
    }

    Future<Optional<FlowIssue>> find(Tx tx, CauseKey key) {
        return tx.query(SELECT + "where i.flow_id = $1 and i.cause_key = $2", key.flowId(), key.text())
                .map(ISSUES::first);
    }

    /** Failures by day, oldest first. */
    Future<List<Issues.FailureDay>> days(Tx tx, String issueId) {
        return tx.query(DAYS, issueId)
                .map(rows -> DAY_ROWS.all(rows).reversed().stream()
                        .map(row -> row.day(LocalDate.parse(row.day())))
                        .toList());
    }

    Future<Void> setStatus(Tx tx, String id, IssueStatus status, Instant now) {
        return tx.query(
                        "update flow_issue set status = $2, status_changed = $3, updated = $3 where id = $1",
                        id,
                        status,
                        now)
                .mapEmpty();
    }

    Future<Optional<String>> projectOf(Tx tx, String id) {
        return tx.query("select project_id from flow_issue where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    Future<Void> archive(Tx tx, Instant before, Instant now) {
        return tx.query("""
                        update flow_issue set status = 'ARCHIVED', status_changed = $2, updated = $2
                         where last_occurrence < $1 and status = 'UNRESOLVED'
                        """, before, now).mapEmpty();
    }

    Future<Void> forget(Tx tx, Instant before) {
        return tx.query("delete from flow_issue where last_occurrence < $1", before)
                .compose(_ -> tx.query(
                        "delete from flow_issue_day where day < ($1::timestamptz at time zone 'UTC')::date", before))
                .mapEmpty();
    }

    Future<List<CauseKey>> known(Tx tx, List<CauseKey> keys) {
        return tx.query(KNOWN, Values.texts(keys, CauseKey::flowId), Values.texts(keys, CauseKey::text))
                .map(KEYS::all);
    }
}
