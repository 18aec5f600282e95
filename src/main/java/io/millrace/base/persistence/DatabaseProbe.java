package io.millrace.base.persistence;

import io.millrace.base.persistence.connection.DatabaseConnections;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Tests whether the database answers on a new connection: those of the pools may be busy, or dead without an error. */
final class DatabaseProbe {
    /** Ten round trips of half a second. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private DatabaseProbe() {}

    /** Succeeds when the database answers; fails in bounded time. */
    static Future<?> send(Vertx vertx, DatabaseSettings settings) {
        return send(vertx, settings, DEADLINE);
    }

    /**
     * A connection that is lost after it was opened does not prove that the database is unavailable: the probe is repeated
     * once.
     *
     * @param deadline time without an answer after which the probe fails
     */
    static Future<?> send(Vertx vertx, DatabaseSettings settings, Duration deadline) {
        return sendOnce(vertx, settings, deadline)
                .recover(failure -> DatabaseFailure.isLostConnection(failure)
                        ? sendOnce(vertx, settings, deadline)
                        : Future.failedFuture(failure));
    }

    /** In a pool of one, because only a pool takes the options that close a silent socket. */
    private static Future<RowSet<Row>> sendOnce(Vertx vertx, DatabaseSettings settings, Duration deadline) {
        var pool = DatabaseConnections.pool(vertx, settings, "probe", 1, deadline);
        var query = pool.query("select 1").execute();
        // Vert.x 5.0.12: a pool that is closed while the timeout of a waiting request fires never ends its close
        // ("lease" is null).
        var _ = query.eventually(pool::close);
        return query.timeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }
}
