package io.millrace.support;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Holds commits of transactions that change certain rows, until {@link #close}. A test can close the connection of such
 * a transaction, so that it is committed without an acknowledgement.
 */
public final class HeldCommit implements AutoCloseable {
    private static final String LOCK = "select pg_advisory_xact_lock(4711)";

    private final TestDatabase opened;
    private final String table;
    private final Promise<Void> release = Promise.promise();
    private final Future<Void> released;

    private HeldCommit(TestDatabase opened, String table) {
        this.opened = opened;
        this.table = table;
        var held = Promise.<Void>promise();
        released = opened.database()
                .inTransaction(
                        tx -> tx.query(LOCK).onSuccess(_ -> held.complete()).compose(_ -> release.future()));
        Waiting.await(held.future());
    }

    /**
     * Holds the commits of changes of a table.
     *
     * @param change insert or update
     * @param condition SQL condition of the changed row
     */
    public static HeldCommit of(DatabaseSettings settings, String table, String change, String condition) {
        var opened = TestDatabase.of(settings);
        Waiting.await(opened.database().query("""
            create function hold_commit() returns trigger language plpgsql as
            $$ begin perform pg_advisory_xact_lock(4711); return null; end $$
            """));
        Waiting.await(opened.database()
                .query("create constraint trigger hold_commit after " + change + " on " + table
                        + " deferrable initially deferred for each row when (" + condition
                        + ") execute function hold_commit()"));
        return new HeldCommit(opened, table);
    }

    /** Waits until a commit is held. */
    public void awaitWaiting() {
        Waiting.until("a commit waits", () -> waiting() > 0);
    }

    private long waiting() {
        return Waiting.await(opened.database()
                        .query("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and wait_event = 'advisory'"))
                .iterator()
                .next()
                .getLong(0);
    }

    /** Releases the held commits, and holds no further ones. */
    @Override
    public void close() {
        release.complete();
        Waiting.await(released);
        Waiting.until("the held commits have ended", () -> waiting() == 0);
        Waiting.await(opened.database().query("drop trigger hold_commit on " + table));
        Waiting.await(opened.database().query("drop function hold_commit()"));
        opened.close();
    }
}
