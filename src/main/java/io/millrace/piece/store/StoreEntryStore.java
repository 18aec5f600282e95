package io.millrace.piece.store;

import io.millrace.base.persistence.RowMapper;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Statements of stored values. */
final class StoreEntryStore {
    private static final String COLUMNS = "id, created, updated, project_id, key, value";

    private static final String FIND = "select " + COLUMNS + " from store_entry where project_id = $1 and key = $2";

    private static final RowMapper<StoreEntry> ENTRIES = RowMapper.of(StoreEntry.class, FIND);

    /** Writes a value; empty if the key is new and the project has as many entries as it may. */
    Future<Optional<StoreEntry>> upsert(Tx tx, StoreEntry entry, String value, int entriesMax) {
        return tx.query("""
                        insert into store_entry (id, created, updated, project_id, key, value)
                        select $1, $2, $2, $3, $4, $5
                         where exists (select from store_entry where project_id = $3 and key = $4)
                            or (select count(*) from (select from store_entry where project_id = $3 limit $6) t) < $6
                        on conflict (project_id, key) do update set value = excluded.value, updated = excluded.updated
                        returning\s""" + COLUMNS, entry.id(), entry.created(), entry.projectId(), entry.key(), value, entriesMax)
                .map(ENTRIES::first);
    }

    Future<Optional<StoreEntry>> find(Tx tx, String projectId, String key) {
        return tx.query(FIND, projectId, key).map(ENTRIES::first);
    }

    /** Locks the key, whether it exists or not, until the transaction ends, and reads its value. */
    Future<Optional<StoreEntry>> findForChange(Tx tx, String projectId, String key) {
        return tx.query("select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0))", projectId, key)
                .compose(_ -> tx.query(FIND + " for update", projectId, key))
                .map(ENTRIES::first);
    }

    Future<Void> delete(Tx tx, String projectId, String key) {
        return tx.query("delete from store_entry where project_id = $1 and key = $2", projectId, key)
                .mapEmpty();
    }
}
