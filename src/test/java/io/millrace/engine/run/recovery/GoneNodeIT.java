package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose connection was closed loses its lease early; a silent one keeps it. */
class GoneNodeIT {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration SILENCE = Duration.ZERO;

    private final Vertx vertx = TestPostgres.vertx();
    private final RunOwnerStore store = new RunOwnerStore();
    private Database database;
    private Database ofNode;

    @BeforeEach
    void open() {
        var settings = TestPostgres.freshDatabase();
        database = Database.open(vertx, settings);
        ofNode = database.apart("lease");
        Waiting.await(ofNode.read(tx -> store.renewLease(tx, "node", LEASE, true, Instant.now())));
    }

    @AfterEach
    void close() {
        Waiting.await(ofNode.close());
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void keepsItsLease_whileItHoldsItsLock() {
        assertThat(others(SILENCE)).containsExactly("node");
        assertThat(hasLease()).isTrue();
    }

    @Test
    void losesItsLease_whenItsConnectionHasEnded() {
        Waiting.await(ofNode.close());

        Waiting.until("the lock is found free", () -> others(SILENCE).isEmpty());

        assertThat(hasLease()).isFalse();
    }

    @Test
    void keepsItsLease_thatItRenewedLately() {
        Waiting.await(ofNode.close());
        Waiting.until(
                "the lock is free", () -> count("select count(*) from pg_locks where locktype = 'advisory'") == 0);

        assertThat(others(LEASE.dividedBy(2))).containsExactly("node");
        assertThat(hasLease()).isTrue();
    }

    @Test
    void keepsItsLease_withoutALockThatItEverHeld() {
        Waiting.await(database.query("update node set guarded = false"));
        Waiting.await(ofNode.close());
        Waiting.until(
                "the lock is free", () -> count("select count(*) from pg_locks where locktype = 'advisory'") == 0);

        assertThat(others(SILENCE)).containsExactly("node");
        assertThat(hasLease()).isTrue();
    }

    @Test
    void isNoneOfTheOthers_whenItsLeaseHasRunOut() {
        Waiting.await(database.query("update node set lease_until = now()"));

        assertThat(others(SILENCE)).isEmpty();
    }

    private Set<String> others(Duration silence) {
        Waiting.await(database.query(
                "insert into node (id, lease_until) values ('other', 'infinity') on conflict do nothing"));
        return Waiting.await(database.read(tx -> store.endLeasesOfTheGone(tx, "other", LEASE, silence)));
    }

    private boolean hasLease() {
        return count("select count(*) from node where id = 'node' and lease_until > now()") == 1;
    }

    private long count(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getLong(0);
    }
}
