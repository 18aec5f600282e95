package io.millrace.engine.run.store;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two nodes that create the partition of the same day. */
class RunPartitionIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private final RunPartitionStore partitions = new RunPartitionStore();

    @Test
    void twoNodesTakeTurns() {
        // given a node that has created the partition and not committed
        var database = opened.database();
        var day = LocalDate.parse("2031-01-01");
        var created = Promise.<Void>promise();
        var commit = Promise.<Void>promise();
        var first = database.inTransaction(
                tx -> partitions.attach(tx, day).onSuccess(created::complete).compose(_ -> commit.future()));
        await(created.future());

        // when another one creates it
        var second = database.inTransaction(tx -> partitions.attach(tx, day));
        Waiting.until("the second node waits", () -> waiting(database) == 1);
        commit.complete();

        // then
        await(first);
        await(second);
        assertThat(missing(database, day)).isEmpty();
    }

    private List<LocalDate> missing(Database database, LocalDate day) {
        var instant = day.atStartOfDay(ZoneOffset.UTC).toInstant();
        return await(database.read(tx -> partitions.missing(tx, instant, 1)));
    }

    private static long waiting(Database database) {
        return await(database.query(
                        "select count(*) as waiting from pg_locks where not granted and locktype <> 'virtualxid'")
                .map(rows -> rows.iterator().next().getLong("waiting")));
    }

    /** Nodes of an earlier release do not take the lock. */
    @Test
    void knowsThatAnotherNodeHasMadeIt() {
        var database = opened.database();
        var day = LocalDate.parse("2031-02-01");

        var known = await(database.inTransaction(tx -> partitions.attach(tx, day))
                .compose(_ -> database.query("alter table ended_run attach partition ended_run_2031_02_01"
                        + " for values from ('2031-02-01 00:00:00+00') to ('2031-02-02 00:00:00+00')"))
                .map(false)
                .recover(failure -> Future.succeededFuture(Database.isThereAlready(failure))));

        assertThat(known).isTrue();
    }

    @Test
    void twoNodesDropOneDay() {
        var database = opened.database();
        var day = LocalDate.parse("2031-03-01");
        await(database.inTransaction(tx -> partitions.attach(tx, day)));

        await(database.inTransaction(tx -> partitions.drop(tx, "ended_run_2031_03_01")));
        await(database.inTransaction(tx -> partitions.drop(tx, "ended_run_2031_03_01")));

        assertThat(missing(database, day)).containsExactly(day);
    }
}
