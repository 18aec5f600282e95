package io.millrace.integration.event;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.util.List;

/** Rows of {@code run_event}, which database triggers write together with the changes of runs. */
final class RunEventStore {
    /** In the order of recording; the names come from tables of the modules below. */
    private static final String TAKE = """
            with taken as (
                delete from run_event
                 where sequence in (
                       select sequence from run_event order by sequence limit $1 for update skip locked)
                returning *)
            select t.id, t.created, t.action, t.project_id, t.run_id, t.flow_id, t.flow_version_id, t.environment, t.status,
                   t.start_time, t.finish_time, t.triggered_by, p.platform_id, p.display_name as project_name,
                   v.display_name as flow_name
              from taken t
              join project p on p.id = t.project_id
              left join flow_version v on v.id = t.flow_version_id
             order by t.sequence
            """;

    private static final RowMapper<RunOutcomeEvent> EVENTS = RowMapper.of(RunOutcomeEvent.class, TAKE);

    /** The caller must create the deliveries of the events in the same transaction. */
    Future<List<RunOutcomeEvent>> take(Tx tx, int limit) {
        return tx.query(TAKE, limit).map(EVENTS::all);
    }
}
