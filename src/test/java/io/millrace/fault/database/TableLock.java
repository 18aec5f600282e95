package io.millrace.fault.database;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Lock of a table until close; blocks readers unless it is {@link #againstWrites}. */
final class TableLock implements AutoCloseable {
    private static final String WAITING = """
            from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()
            """;

    private final Vertx vertx = TestPostgres.vertx();
    private final Database database;
    private final Promise<Void> release = Promise.promise();
    private final Future<Void> released;

    private TableLock(DatabaseSettings settings, String table, String mode) {
        database = Database.open(vertx, settings);
        var held = Promise.<Void>promise();
        released = database.inTransaction(tx -> tx.query("lock table " + table + " in " + mode + " mode")
                .onSuccess(_ -> held.tryComplete())
                .compose(_ -> release.future()));
        released.onFailure(held::tryFail);
        Waiting.await(held.future());
    }

    static TableLock of(DatabaseSettings settings, String table) {
        return new TableLock(settings, table, "access exclusive");
    }

    /** Lets statements read the table. */
    static TableLock againstWrites(DatabaseSettings settings, String table) {
        return new TableLock(settings, table, "share");
    }

    /** Lets statements read the table, and neither write it nor lock its rows. */
    static TableLock againstRowLocks(DatabaseSettings settings, String table) {
        return new TableLock(settings, table, "exclusive");
    }

    /** Waits until a statement that contains this word waits for a lock. */
    void awaitWaiting(String word) {
        Waiting.until("a statement about " + word + " waits", () -> isAwaited(word));
    }

    /** Returns whether a statement that contains this word waits for a lock. */
    boolean isAwaited(String word) {
        return Waiting.await(database.query("select count(*) " + WAITING + " and query like $1", "%" + word + "%"))
                        .iterator()
                        .next()
                        .getLong(0)
                > 0;
    }

    /** Closes the connections of all waiting statements. */
    void loseWaiting() {
        Waiting.await(database.query("select pg_terminate_backend(pid) " + WAITING));
    }

    /** Releases the lock. */
    void release() {
        release.tryComplete();
    }

    @Override
    public void close() {
        release();
        Waiting.await(released);
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }
}
