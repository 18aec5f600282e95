package io.millrace.piece.store;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.Optional;

/** Statements of stored values. */
final class StoreEntryStore {
    /** Writes a value; empty if the key is new and the project has as many entries as it may. */
    Future<Optional<StoreEntry>> upsert(Tx tx, StoreEntry entry, String value, int entriesMax) {
        return tx.query("""
                        insert into store_entry (id, created, updated, project_id, key, value)
                        select $1, $2, $2, $3, $4, $5
                         where exists (select from store_entry where project_id = $3 and key = $4)
                            or (select count(*) from (select from store_entry where project_id = $3 limit $6) t) < $6
                        on conflict (project_id, key) do update set value = excluded.value, updated = excluded.updated
                        returning *
                        """, entry.id(), entry.created(), entry.projectId(), entry.key(), value, entriesMax)
                .map(rows -> Rows.first(rows, StoreEntryStore::entry));
    }

    Future<Optional<StoreEntry>> find(Tx tx, String projectId, String key) {
        return tx.query("select * from store_entry where project_id = $1 and key = $2", projectId, key)
                .map(rows -> Rows.first(rows, StoreEntryStore::entry));
    }

    /** Locks the key, whether it exists or not, until the transaction ends, and reads its value. */
    Future<Optional<StoreEntry>> findForChange(Tx tx, String projectId, String key) {
        return tx.query("select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0))", projectId, key)
                .compose(_ -> tx.query(
                        "select * from store_entry where project_id = $1 and key = $2 for update", projectId, key))
                .map(rows -> Rows.first(rows, StoreEntryStore::entry));
    }

    Future<Void> delete(Tx tx, String projectId, String key) {
        return tx.query("delete from store_entry where project_id = $1 and key = $2", projectId, key)
                .mapEmpty();
    }

    private static StoreEntry entry(Row row) {
        return new StoreEntry(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "project_id"),
                Rows.text(row, "key"),
                Rows.json(row, "value"));
    }
}
