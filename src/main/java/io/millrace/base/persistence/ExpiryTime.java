package io.millrace.base.persistence;

import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Time by which data expires and is deleted: the earlier one of the times of this node and of the database. A node whose clock
 * runs ahead must not delete what no other node would: a deletion is final.
 */
public final class ExpiryTime {
    private ExpiryTime() {}

    public static Future<Instant> now(Tx tx, InstantSource clock) {
        return tx.query("select least($1::timestamptz, now()) as time", clock.instant())
                .map(rows -> Rows.first(rows, row -> Rows.instant(row, "time")).orElseThrow());
    }
}
