package io.millrace.integration.alert;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/** Rows of {@code failed_flow}, which a trigger of the database writes, with names and receivers of the modules below. */
final class FailedFlowStore {
    private static final String TAKE = """
            with taken as (
                update failed_flow set told = true
                 where flow_version_id in (
                       select flow_version_id from failed_flow
                        where not told order by failed limit $1 for update skip locked)
                returning *)
            select t.run_id, t.failed, t.status, t.failed_step_name as step_name, p.platform_id, t.project_id,
                   p.display_name as project_name,
                   coalesce(v.display_name, '') as flow_name,
                   array(select receiver from alert a where a.project_id = t.project_id order by receiver) as receivers
              from taken t
              join project p on p.id = t.project_id and p.deleted is null
              left join flow_version v on v.id = t.flow_version_id
             order by t.failed
            """;

    private static final RowMapper<FailedFlow> FAILED_FLOWS = RowMapper.of(FailedFlow.class, TAKE);

    private static final String FORGET = "delete from failed_flow where expires < $1 and told";

    Future<List<String>> pending(Tx tx, int limit) {
        return tx.query("select run_id from failed_flow where not told order by failed limit $1", limit)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "run_id")));
    }

    /** The failures count as reported when the transaction commits. */
    Future<List<FailedFlow>> take(Tx tx, int limit) {
        return tx.query(TAKE, limit).map(FAILED_FLOWS::all);
    }

    Future<Void> forget(Tx tx, Instant now) {
        return tx.query(FORGET, now).mapEmpty();
    }
}
