package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

public final class LogDictionaryStore {
    /** The migration that added dictionaries: a node without it cannot read logs that need one. */
    private static final String SCHEMA_VERSION = "0065";

    /**
     * Stores a dictionary unless there is one, records its use, and returns the current one; empty as long as a node
     * lives whose release cannot read logs made with it.
     */
    Future<Optional<Buffer>> keep(Tx tx, String flowVersionId, Buffer text, Instant now) {
        return tx.query("""
                        insert into log_dictionary (flow_version_id, text, last_asked)
                        select $1, $2, $3
                        where not exists (
                          select from node where lease_until > now() and coalesce(schema_version, '') < $4)
                        on conflict (flow_version_id) do update set last_asked = excluded.last_asked
                        returning text
                        """, flowVersionId, text, now, SCHEMA_VERSION)
                .map(rows -> Rows.first(rows, row -> Rows.buffer(row, "text")));
    }

    public Future<Void> deleteUnused(Tx tx, Instant since) {
        return tx.query("delete from log_dictionary where last_asked < $1", since)
                .mapEmpty();
    }
}
