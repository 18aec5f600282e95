package io.millrace.integration.event;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
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
            select t.*, p.platform_id, p.display_name as project_name, v.display_name as flow_name
              from taken t
              join project p on p.id = t.project_id
              left join flow_version v on v.id = t.flow_version_id
             order by t.sequence
            """;

    /** Removes and returns events; the caller must create their deliveries in the same transaction. */
    Future<List<RunOutcomeEvent>> take(Tx tx, int limit) {
        return tx.query(TAKE, limit).map(rows -> Rows.all(rows, RunEventStore::eventOf));
    }

    private static RunOutcomeEvent eventOf(Row row) {
        return new RunOutcomeEvent(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.text(row, "action"),
                Rows.text(row, "platform_id"),
                Rows.text(row, "project_id"),
                Rows.text(row, "project_name"),
                Rows.text(row, "run_id"),
                Rows.text(row, "flow_id"),
                Rows.text(row, "flow_version_id"),
                Rows.optionalText(row, "flow_name"),
                Rows.text(row, "environment"),
                Rows.text(row, "status"),
                Rows.optionalInstant(row, "start_time"),
                Rows.optionalInstant(row, "finish_time"),
                Rows.optionalText(row, "triggered_by"));
    }
}
