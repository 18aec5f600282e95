package io.millrace.piece.store;

import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.Optional;

final class StoreEntryStore {
    private static final String COLUMNS = "id, created, updated, project_id, key, value";

    private static final String FIND = "select " + COLUMNS + " from store_entry where project_id = $1 and key = $2";

    private static final RowMapper<StoreEntry> ENTRIES = RowMapper.of(StoreEntry.class, FIND);

    /** Replaces the value of a key; empty if the key is new. */
    Future<Optional<StoreEntry>> replace(Tx tx, StoreEntry entry, String value) {
        return tx.query(
                        "update store_entry set value = $3, updated = $4 where project_id = $1 and key = $2 returning "
                                + COLUMNS,
                        entry.projectId(),
                        entry.key(),
                        value,
                        entry.updated())
                .map(ENTRIES::first);
    }

    /** Writes a value. Fails when the key is new and the project has as many entries as it may. */
    Future<StoreEntry> upsert(Tx tx, StoreEntry entry, String value, RowBound bound) {
        return bound.begin(tx, "store entries", "project", entry.projectId())
                .compose(addition -> tx.query(
                                """
                                insert into store_entry (id, created, updated, project_id, key, value)
                                values ($1, $2, $2, $3, $4, $5)
                                on conflict (project_id, key) do update
                                  set value = excluded.value, updated = excluded.updated
                                returning\s""" + COLUMNS, entry.id(), entry.created(), entry.projectId(), entry.key(), value)
                        .map(ENTRIES::only)
                        .compose(stored -> stored.id().equals(entry.id())
                                ? count(tx, entry.projectId(), bound.max() + 1L)
                                        .compose(addition::check)
                                        .map(stored)
                                : Future.succeededFuture(stored)));
    }

    private static Future<Long> count(Tx tx, String projectId, long limit) {
        return tx.query(
                        "select count(*) as entries from (select from store_entry where project_id = $1 limit $2) t",
                        projectId,
                        limit)
                .map(rows -> Rows.whole(rows.iterator().next(), "entries"));
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
