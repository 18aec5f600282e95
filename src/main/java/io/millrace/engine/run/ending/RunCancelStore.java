package io.millrace.engine.run.ending;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.store.RunConditions;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class RunCancelStore {
    private static final String SEIZE = """
            update run set owner = $2, fence = fence + 1, updated = now() where id = $1
            returning id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
              fail_parent as fail_parent_on_failure, parent_waitpoint, triggered_by, flow_name, traceparent, fence,
              status = 'PAUSED' as was_paused
            """;

    private static final RowMapper<CancelTarget> SEIZED = RowMapper.of(CancelTarget.class, SEIZE);

    /** Ids of matching live runs, the oldest first. */
    Future<List<String>> find(Tx tx, RunQueries.Filter filter, int limit) {
        var conditions = RunConditions.of(filter);
        var values = new ArrayList<>(List.of(conditions.values()));
        values.add((long) limit);
        var sql = "select r.id from run r " + conditions.sql() + " order by r.created, r.id limit $" + values.size();
        return tx.query(sql, values.toArray()).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    /**
     * Ids of the live descendants of runs of a project, through ended runs too: a run may have ended while its child
     * continues. Only those of the project itself: the sender of a header that names a parent need not own it, and must
     * not end runs of others by ending their own.
     */
    Future<List<String>> descendants(Tx tx, String projectId, List<String> runIds) {
        return tx.query("""
                        with recursive descendant (id, live) as (
                          select unnest($1::text[]), false
                          union
                          select c.id, c.live from descendant d join (
                            select id, parent_run_id, project_id, true as live from run where parent_run_id is not null
                            union all
                            select id, parent_run_id, project_id, false from ended_run where parent_run_id is not null) c
                            on c.parent_run_id = d.id and c.project_id = $2
                        )
                        select id from descendant where live
                        """, Values.texts(runIds), projectId).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    /**
     * A run that this node has fenced off from its former owner.
     *
     * @param wasPaused whether it was paused at a waitpoint
     */
    record CancelTarget(@Unprefixed RunWrite.RunHeader header, long fence, boolean wasPaused) {}

    /** Makes this node the owner of a run; the fence shuts out all other writers. Empty when the run has ended. */
    Future<Optional<CancelTarget>> seize(Tx tx, String runId, String nodeId) {
        return tx.query(SEIZE, runId, nodeId).map(SEIZED::first);
    }
}
