package io.millrace.engine.trigger.event;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;
import java.time.Instant;

public final class TriggerEventStore {
    private static final String COLUMNS = "id, created, updated, project_id, flow_id, source_name, file_id";

    private static final String OF_FLOW =
            "select " + COLUMNS + " from trigger_event where project_id = $1 and flow_id = $2 and source_name = $3";

    private static final RowMapper<TriggerEvent> EVENTS =
            RowMapper.of(EventRow.class, OF_FLOW).as(EventRow::event);

    private record EventRow(
            String id,
            Instant created,
            Instant updated,
            String projectId,
            String flowId,
            String sourceName,
            String fileId) {
        TriggerEvent event() {
            return new TriggerEvent(
                    id, created, updated, projectId, flowId, sourceName, fileId, MissingNode.getInstance());
        }
    }

    Future<TriggerEvent> insert(Tx tx, TriggerEvents.Save save, String fileId) {
        return tx.query("""
                        insert into trigger_event (id, created, updated, project_id, flow_id, source_name, file_id)
                        values ($1, clock_timestamp(), clock_timestamp(), $2, $3, $4, $5)
                        returning\s""" + COLUMNS, Ids.next(), save.projectId(), save.flowId(), save.sourceName(), fileId)
                .map(rows -> EVENTS.only(rows).with(save.payload()));
    }

    /** Deletes the files of payloads; the events are deleted with them. */
    public Future<Void> deleteOfFlow(Tx tx, String flowId) {
        return tx.query("delete from file where id in (select file_id from trigger_event where flow_id = $1)", flowId)
                .mapEmpty();
    }

    /** Deletes all events of a flow except the newest: samples are for editors, not a log. */
    Future<Void> deleteAllButNewest(Tx tx, String flowId, int keptMax) {
        return tx.query("""
                        delete from file where id in (
                          select file_id from trigger_event where flow_id = $1 order by created desc, id desc offset $2)
                        """, flowId, (long) keptMax).mapEmpty();
    }

    Future<Page<TriggerEvent>> page(Tx tx, TriggerEvents.FindOf find) {
        return tx.page(
                OF_FLOW,
                Paging.newestFirst(),
                find.page(),
                EVENTS,
                event -> new PageKey(event.created(), event.id()),
                find.projectId(),
                find.flowId(),
                find.sourceName());
    }
}
