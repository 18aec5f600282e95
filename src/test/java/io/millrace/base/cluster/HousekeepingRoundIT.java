package io.millrace.base.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A round is claimed once per period, even after changes of the system clock. */
class HousekeepingRoundIT {
    private final Vertx vertx = TestPostgres.vertx();
    private final ClusterStore store = new ClusterStore();
    private Database database;

    @BeforeEach
    void open() {
        database = Database.open(vertx, TestPostgres.freshDatabase());
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void isClaimedOnce_untilItIsDue() {
        assertThat(claim()).isTrue();
        assertThat(claim()).isFalse();

        Waiting.await(database.query("update housekeeping_round set due = now()"));

        assertThat(claim()).isTrue();
    }

    @Test
    void isClaimedAnew_whenTheClockHasGoneBack() {
        claim();
        Waiting.await(database.query("update housekeeping_round set due = due + interval '1 day'"));

        assertThat(claim()).isTrue();
        assertThat(claim()).isFalse();
    }

    private boolean claim() {
        return Waiting.await(
                database.read(tx -> store.claimRound(tx, new Cluster.ClaimRound("round", Duration.ofHours(1)))));
    }
}
