package io.millrace.authoring.table.event;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.List;

/** Statements of {@code table_webhook}. Reads the table of flows below. */
public final class WebhookStore {
    /** False when the project has no such flow. */
    public Future<Boolean> insert(Tx tx, TableWebhook webhook) {
        return tx.query(
                        """
                        insert into table_webhook (id, created, updated, project_id, table_id, flow_id, events)
                        select $1, $2, $3, $4, $5, id, $7::text[] from flow
                         where id = $6 and project_id = $4::text and operation_status <> 'DELETING'
                        """,
                        webhook.id(),
                        webhook.created(),
                        webhook.updated(),
                        webhook.projectId(),
                        webhook.tableId(),
                        webhook.flowId(),
                        Values.texts(webhook.events(), Enum::name))
                .map(rows -> rows.rowCount() > 0);
    }

    public Future<Long> count(Tx tx, String tableId) {
        return tx.query("select count(*) as count from table_webhook where table_id = $1", tableId)
                .map(rows -> Rows.whole(rows.iterator().next(), "count"));
    }

    /** False when the table has none of that id. */
    public Future<Boolean> delete(Tx tx, String tableId, String webhookId) {
        return tx.query("delete from table_webhook where id = $1 and table_id = $2", webhookId, tableId)
                .map(rows -> rows.rowCount() > 0);
    }

    public Future<List<String>> flowsHearing(Tx tx, String tableId, RecordEvent event) {
        return tx.query(
                        "select distinct flow_id from table_webhook where table_id = $1 and $2 = any (events)",
                        tableId,
                        event)
                .map(rows -> Rows.all(rows, WebhookStore::flowIdOf));
    }

    private static String flowIdOf(Row row) {
        return Rows.text(row, "flow_id");
    }
}
