package io.millrace.engine.run.store;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.vertx.core.Future;
import java.time.LocalDate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two nodes that make the partition of one day. */
class RunPartitionIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private final RunPartitionStore partitions = new RunPartitionStore();

    @Test
    void knowsThatAnotherNodeHasMadeIt() {
        var database = opened.database();
        var day = LocalDate.parse("2031-01-01");

        var outcomes = await(database.inTransaction(tx -> partitions.attach(tx, day))
                .compose(_ -> database.inTransaction(tx -> partitions.attach(tx, day)))
                .map(false)
                .recover(failure -> Future.succeededFuture(Database.isThereAlready(failure))));

        assertThat(outcomes).isTrue();
    }
}
