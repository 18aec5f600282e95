package io.millrace.engine.run.retention;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/** Statements of the retention of runs. Projects and flows without a setting have no row. */
public final class RunRetentionStore {
    /**
     * Ended runs past a retention setting, the oldest of each setting first, with their separate data. Each setting is
     * looked up by itself, in the index of its flow or its project: planned as a join, all history would be read even
     * without any setting.
     */
    static final String DROP_OVERDUE = """
            with overdue as (
              select e.* from run_retention r cross join lateral (
                select id, created, project_id from ended_run
                where flow_id = r.flow_id and created < $1::timestamptz - make_interval(days => r.days)
                order by created limit $2) e
              union
              select e.* from run_retention r cross join lateral (
                select id, created, project_id from ended_run
                where project_id = r.project_id and created < $1::timestamptz - make_interval(days => r.days)
                order by created limit $2) e
              where r.flow_id is null
              limit $2
            ), slices as (
              delete from file f using overdue o
              where f.project_id = o.project_id and f.type = 'FLOW_RUN_LOG_SLICE' and f.metadata ->> 'flowRunId' = o.id
            ), attempts as (
              delete from run_attempt a using overdue o where a.run_id = o.id
            )
            delete from ended_run e using overdue o where e.id = o.id and e.created = o.created
            """;

    /** A live run may still need its files, regardless of the length of its wait. */
    private static final String DROP_FILES = """
            delete from file f using run_retention r
            where f.project_id = r.project_id and f.type = 'FLOW_STEP_FILE'
              and (r.flow_id is null or f.metadata ->> 'flowId' = r.flow_id)
              and f.created < $1::timestamptz - make_interval(days => r.days)
              and not exists (
                select from run l where l.project_id = f.project_id and l.created < f.created + interval '1 day'
                  and l.flow_id = f.metadata ->> 'flowId')
            """;

    private static final String OF_FLOW = """
            select min(r.days) filter (where r.flow_id is not null) as days, min(r.days) as shortest
            from flow f left join run_retention r
              on r.project_id = f.project_id and (r.flow_id is null or r.flow_id = f.id)
            where f.id = $1 group by f.id
            """;

    private static final RowMapper<FlowDays> FLOW_DAYS = RowMapper.of(FlowDays.class, OF_FLOW);

    /** @param shortest shortest setting of the flow and its project */
    record FlowDays(Optional<Integer> days, Optional<Integer> shortest) {}

    Future<Optional<Integer>> findOfProject(Tx tx, String projectId) {
        return tx.query("select days from run_retention where project_id = $1 and flow_id is null", projectId)
                .map(rows -> Rows.first(rows, row -> Rows.integer(row, "days")));
    }

    /** Retention of a flow; empty when there is no such flow. */
    Future<Optional<FlowDays>> findOfFlow(Tx tx, String flowId) {
        return tx.query(OF_FLOW, flowId).map(FLOW_DAYS::first);
    }

    Future<Void> putOfProject(Tx tx, String projectId, Optional<Integer> days) {
        return (days.isEmpty()
                        ? tx.query("delete from run_retention where project_id = $1 and flow_id is null", projectId)
                        : tx.query("""
                                insert into run_retention (project_id, flow_id, days) values ($1, null, $2)
                                on conflict (project_id, flow_id) do update set days = excluded.days
                                """, projectId, days.get()))
                .mapEmpty();
    }

    Future<Void> putOfFlow(Tx tx, String flowId, Optional<Integer> days) {
        return (days.isEmpty()
                        ? tx.query("delete from run_retention where flow_id = $1", flowId)
                        : tx.query("""
                                insert into run_retention (project_id, flow_id, days)
                                select project_id, id, $2 from flow where id = $1
                                on conflict (project_id, flow_id) do update set days = excluded.days
                                """, flowId, days.get()))
                .mapEmpty();
    }

    public Future<Integer> dropOverdue(Tx tx, Instant now, int limit) {
        return tx.query(DROP_OVERDUE, now, (long) limit).map(rows -> rows.rowCount());
    }

    public Future<Void> dropFiles(Tx tx, Instant now) {
        return tx.query(DROP_FILES, now).mapEmpty();
    }
}
