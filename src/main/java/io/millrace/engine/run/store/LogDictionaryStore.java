package io.millrace.engine.run.store;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/** Statements about what the logs of a flow version have in common. */
public final class LogDictionaryStore {
    /** Keeps a dictionary unless there is one, notes that it is used, and answers the one that there is. */
    Future<Buffer> keep(Tx tx, String flowVersionId, Buffer text, Instant now) {
        return tx.query("""
                        insert into log_dictionary (flow_version_id, text, last_asked) values ($1, $2, $3)
                        on conflict (flow_version_id) do update set last_asked = excluded.last_asked
                        returning text
                        """, flowVersionId, text, now)
                .map(rows -> Rows.buffer(rows.iterator().next(), "text"));
    }

    /** Deletes those that nobody has asked for since. */
    public Future<Void> deleteUnused(Tx tx, Instant since) {
        return tx.query("delete from log_dictionary where last_asked < $1", since)
                .mapEmpty();
    }
}
