package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.statement.WhereClause;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

final class RunArchiveStore {
    /** Archives the matching runs that are not archived yet, live ones as well: they stay archived when they end. */
    Future<Void> archive(Tx tx, RunQueries.Filter filter, Instant now) {
        var conditions = RunConditions.of(filter);
        var archived = archive(tx, "ended_run", conditions, now);
        return filter.wantsFailedStep() ? archived : archived.compose(_ -> archive(tx, "run", conditions, now));
    }

    private static Future<Void> archive(Tx tx, String table, WhereClause conditions, Instant now) {
        var values = new ArrayList<>(List.of(conditions.values()));
        values.add(now);
        var sql = "update " + table + " r set archived_at = $" + values.size() + " " + conditions.sql();
        return tx.query(sql, values.toArray()).mapEmpty();
    }
}
