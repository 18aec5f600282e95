package io.millrace.engine.run.store;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunGauges;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.admission.RecentStarts;
import io.millrace.engine.run.journal.LogDictionary;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statements that read runs, live and ended, as callers see them. */
public final class RunQueryStore {
    /** Two rounds of the sweeper, with a margin. */
    private static final int TAKE_OVER_SECONDS = 10;

    private static final String RUN_COLUMNS = """
            r.id, r.created, r.updated, r.project_id, r.flow_id, r.flow_version_id, r.environment, r.status,
            r.start_time, r.finish_time, r.parent_run_id, r.fail_parent as fail_parent_on_failure, r.triggered_by,
            r.flow_name as flow_display_name, r.tags, r.failed_step_name,
            r.failed_step_display_name, r.failed_step_message, r.steps_count, r.archived_at,
            (select t.step_name from step_test t where t.run_id = r.id and r.environment = 'TESTING') as step_name_to_test,
            (select p.replay_of from run_replay p where p.run_id = r.id) as replay_of
            """;

    /**
     * Live and ended runs as one table; simple enough to be flattened by the planner, so that each part uses its
     * indexes.
     */
    private static final String ALL_RUNS = """
            (select id, created, updated, project_id, flow_id, flow_version_id, environment, status, start_time,
               null::timestamptz as finish_time, parent_run_id, fail_parent, triggered_by, flow_name, tags,
               null::text as failed_step_name, null::text as failed_step_display_name,
               null::text as failed_step_message, steps_count, archived_at
             from run
             union all
             select id, created, updated, project_id, flow_id, flow_version_id, environment, status, start_time,
               finish_time, parent_run_id, fail_parent, triggered_by, flow_name, tags, failed_step_name,
               failed_step_display_name, failed_step_message, steps_count, archived_at
             from ended_run) r
            """;

    public static final String DICTIONARY_OF_E =
            "(select d.text from log_dictionary d where d.flow_version_id = e.flow_version_id) as dictionary";

    /** Number of live runs of a project that are searched for the newest of a flow. */
    private static final int LIVE_RUNS_SEARCHED = 1_000;

    private static final String LATEST = "select " + RUN_COLUMNS + """
            from unnest($2::text[]) as f(id) cross join lateral (
              select * from (
                (select id, created, updated, project_id, flow_id, flow_version_id, environment, status, start_time,
                   null::timestamptz as finish_time, parent_run_id, fail_parent, triggered_by, flow_name, tags,
                   null::text as failed_step_name, null::text as failed_step_display_name,
                   null::text as failed_step_message, steps_count, archived_at
                 from (select * from run l where l.project_id = $1 order by l.created desc, l.id desc limit $4) newest
                 where newest.flow_id = f.id and newest.environment = 'PRODUCTION' and newest.archived_at is null
                 order by newest.created desc, newest.id desc limit $3)
                union all
                (select id, created, updated, project_id, flow_id, flow_version_id, environment, status, start_time,
                   finish_time, parent_run_id, fail_parent, triggered_by, flow_name, tags, failed_step_name,
                   failed_step_display_name, failed_step_message, steps_count, archived_at
                 from ended_run e
                 where e.flow_id = f.id and e.project_id = $1 and e.environment = 'PRODUCTION' and e.archived_at is null
                 order by e.created desc, e.id desc limit $3)) both_parts
              order by created desc, id desc limit $3) r
            order by r.created desc, r.id desc
            """;

    static final String SELECT = "select " + RUN_COLUMNS + " from " + ALL_RUNS;

    private static final RowMapper<Run> RUNS = RowMapper.of(Run.class, SELECT, LATEST);

    /** Paused runs may be millions: they are counted separately, in an index, and their rows are not read. */
    static final String GAUGES = """
            select count(*) filter (where status = 'QUEUED') as queued,
              count(*) filter (where status = 'RUNNING') as running,
              (select count(*) from run where status = 'PAUSED') as paused,
              count(*) filter (where updated < $1 and not exists (
                select from node n
                where n.id = r.owner and n.lease_until > now() - make_interval(secs => $2))) as orphaned,
              (select count(*) from waitpoint where status = 'PENDING' and resume_at < $1) as overdue,
              coalesce(greatest(0, extract(epoch from
                $3 - min(created) filter (where status = 'QUEUED'))), 0)::bigint as oldest_queued_seconds
            from run r where status <> 'PAUSED'
            """;

    private static final String LOG = "select e.log, " + DICTIONARY_OF_E + " from ended_run e";

    private static final RowMapper<KeptLog> LOGS = RowMapper.of(KeptLog.class, LOG);

    private static final RowMapper<StatusCount> STATUS_COUNTS = RowMapper.of(
            StatusCount.class, "select r.status, count(*)::int as runs from " + ALL_RUNS + " group by r.status");

    private record StatusCount(RunStatus status, int runs) {}

    private static final RowMapper<RunGauges> RUN_GAUGES = RowMapper.of(RunGauges.class, GAUGES);

    public Future<Optional<Run>> find(Tx tx, String runId) {
        return tx.query(SELECT + " where r.id = $1", runId).map(RUNS::first);
    }

    /** Log of an ended run; empty when the run lives, or its log has been removed. */
    public Future<Optional<Buffer>> log(Tx tx, String runId) {
        return tx.query(LOG + " where e.id = $1", runId).map(LOGS::first).map(log -> log.flatMap(KeptLog::unpacked));
    }

    public record KeptLog(Optional<Buffer> log, Optional<Buffer> dictionary) {
        public Optional<Buffer> unpacked() {
            return log.map(packed -> LogDictionary.unpacked(packed, dictionary));
        }
    }

    Future<Optional<String>> projectOf(Tx tx, String runId) {
        return tx.query("""
                        select project_id from run where id = $1
                        union all select project_id from ended_run where id = $1 limit 1
                        """, runId).map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    public Future<Page<Run>> page(Tx tx, RunQueries.Filter filter, PageRequest page) {
        var conditions = RunConditions.of(filter, page);
        return tx.page(
                SELECT + conditions.sql(),
                Paging.newestFirst().on("r.created", "r.id"),
                page,
                RUNS,
                run -> new PageKey(run.created(), run.id()),
                conditions.values());
    }

    Future<List<Run>> latest(Tx tx, RunQueries.FindLatest ask) {
        return tx.query(LATEST, ask.projectId(), ask.flowIds().toArray(String[]::new), ask.limit(), LIVE_RUNS_SEARCHED)
                .map(RUNS::all);
    }

    /**
     * Counts of live runs. Runs that lost their owner just now, or waitpoints that another node is completing, do not
     * count as orphaned or overdue.
     */
    Future<RunGauges> gauges(Tx tx, Instant now) {
        return tx.query(GAUGES, now.minusSeconds(TAKE_OVER_SECONDS), (double) TAKE_OVER_SECONDS, now)
                .map(RUN_GAUGES::only);
    }

    /** Statuses without any run are left out. */
    Future<Map<RunStatus, Integer>> countByStatus(Tx tx, RunQueries.Filter filter) {
        var conditions = RunConditions.of(filter);
        var sql = "select r.status, count(*)::int as runs from " + ALL_RUNS + conditions.sql() + " group by r.status";
        return tx.query(sql, conditions.values()).map(rows -> {
            var counts = new EnumMap<RunStatus, Integer>(RunStatus.class);
            STATUS_COUNTS.all(rows).forEach(row -> counts.put(row.status(), row.runs()));
            return counts;
        });
    }

    /** Recent start times of runs; a run that has been queued for more than a day is not searched for. */
    Future<List<Instant>> startsAfter(Tx tx, RecentStarts ask) {
        return tx.query(
                        """
                        select start_time from (
                          select flow_id, environment, created, start_time from run
                          union all select flow_id, environment, created, start_time from ended_run) r
                        where flow_id = any($1) and environment = 'PRODUCTION' and start_time > $2 and created > $3
                        order by start_time desc limit $4
                        """,
                        ask.flowIds().toArray(String[]::new),
                        ask.after(),
                        ask.after().minus(1, ChronoUnit.DAYS),
                        ask.limit())
                .map(rows -> Rows.all(rows, row -> Rows.instant(row, "start_time")));
    }
}
