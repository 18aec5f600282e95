package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.store.RunStore;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitions are created and dropped during long reads and continuous commits of runs. */
class RunHousekeepingIT {
    private static final int RETENTION_DAYS = 3;
    private static final long ROUND_DEADLINE_MS = 60_000;

    private final Vertx vertx = TestPostgres.vertx();
    private final Bus bus = new Bus(vertx);
    private final MovableClock clock = new MovableClock();
    private Database database;

    @BeforeEach
    void open() {
        database = Database.open(vertx, TestPostgres.freshDatabase());
        var service = new RunHousekeepingService(database, RETENTION_DAYS, clock);
        Waiting.await(vertx.deployVerticle(new PersistenceVerticle(bus, List.of(service))));
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void makesComingDaysAndDropsOldOnes() {
        // When
        keepHouse();

        // Then
        assertThat(partitions()).isEqualTo(7);

        // When
        advanceAndKeepHouse(5);
        advanceAndKeepHouse(5);

        // Then
        assertThat(partitions()).isEqualTo(7 + RETENTION_DAYS);
        commit();
    }

    @Test
    void dropsNothing_whileTheClockOfTheNodeIsYearsAheadOfTheDatabase() {
        // given runs of this day, by the clock of the database
        clock.advance(Duration.between(clock.instant(), Instant.now()));
        keepHouse();
        commit();
        addAttempt();

        // when the clock of the node is ahead for several days
        advanceAndKeepHouse(3_650);
        advanceAndKeepHouse(1);
        advanceAndKeepHouse(1);
        advanceAndKeepHouse(1);

        // then
        assertThat(runs()).isEqualTo(1);
        assertThat(attempts()).isEqualTo(1);
    }

    @Test
    void dropsRuns_onlyAfterServersHaveRunForTwoDaysSinceAJumpOfAllClocks() {
        // given
        keepHouse();
        commit();
        addAttempt();

        // when
        advanceAndKeepHouse(200);
        advanceAndKeepHouse(1);

        // then
        assertThat(runs()).isEqualTo(1);
        assertThat(attempts()).isEqualTo(1);

        // when
        advanceAndKeepHouse(1);

        // then
        assertThat(runs()).isZero();
        assertThat(attempts()).isZero();
    }

    @Test
    void dropsSevenPartitionsAtMostInARound() {
        // given partitions of ten days, and servers that were stopped until all of these had expired
        keepHouse();
        advanceAndKeepHouse(RETENTION_DAYS);
        advanceAndKeepHouse(20);
        advanceAndKeepHouse(1);
        assertThat(partitions()).isEqualTo(10 + 8);

        // when
        advanceAndKeepHouse(1);

        // then
        assertThat(partitions()).isEqualTo(10 + 9 - RunHousekeepingService.PARTITIONS_DROPPED_AT_ONCE);

        // when
        keepHouse();

        // then
        assertThat(partitions()).isEqualTo(9);
    }

    private void advanceAndKeepHouse(int days) {
        clock.advance(Duration.ofDays(days));
        keepHouse();
    }

    private void addAttempt() {
        Waiting.await(database.query("""
                insert into run_attempt (run_id, created, attempt_run_id, status, retried_at)
                values ('run', $1, 'run', 'FAILED', $1)
                """, clock.instant()));
    }

    private long runs() {
        return Waiting.await(database.query("select count(*) from ended_run"))
                .iterator()
                .next()
                .getLong(0);
    }

    @Test
    void hasTheComingDays_whenItHasStarted() {
        // When
        Waiting.await(vertx.deployVerticle(new RunHousekeeping(bus)));

        // Then
        assertThat(partitions()).isEqualTo(7);
    }

    @Test
    void doesAWholeRoundOnceItHasStarted() {
        // given a dictionary that was not requested for a long time
        var dictionary = "insert into log_dictionary (flow_version_id, text, last_asked) values ($1, $2, $3)";
        Waiting.await(database.query(
                dictionary, "old", Buffer.buffer("{}"), clock.instant().minus(Duration.ofDays(30))));

        // When
        Waiting.await(vertx.deployVerticle(new RunHousekeeping(bus)));

        // Then
        Waiting.until("the dictionary is dropped", () -> dictionaries() == 0);
    }

    @Test
    void delaysNoCommit_duringALongRead() {
        // given old and missing partitions, and a reader that has locked all of them
        keepHouse();
        clock.advance(Duration.ofDays(5));
        var reader = Promise.<Void>promise();
        var begun = Promise.<Void>promise();
        var read = database.inTransaction(tx -> tx.query("select count(*) from ended_run")
                .onSuccess(_ -> begun.complete())
                .compose(_ -> reader.future()));
        Waiting.await(begun.future());

        // when a round executes while runs are committed
        var round = bus.ask(new RunHousekeepingService.Round(), ROUND_DEADLINE_MS);
        var commits = 0;
        while (!round.isComplete()) {
            commit();
            commits++;
        }

        // then it has yielded, and does its work after the reader is done
        assertThat(commits).isPositive();
        assertThat(read.isComplete()).isFalse();
        assertThat(partitions()).isEqualTo(7);
        reader.complete();
        Waiting.await(read);
        keepHouse();
        assertThat(partitions()).isEqualTo(7 + RETENTION_DAYS);
    }

    @Test
    void deletesAttemptsOfRuns_withTheRunsOfTheirDay() {
        // Given
        addAttempt();
        keepHouse();
        assertThat(attempts()).isEqualTo(1);

        // When
        clock.advance(Duration.ofDays(RETENTION_DAYS + 2));
        keepHouse();

        // Then
        assertThat(attempts()).isZero();
    }

    private long attempts() {
        return Waiting.await(database.query("select count(*) as n from run_attempt"))
                .iterator()
                .next()
                .getLong("n");
    }

    @Test
    void keepsADictionaryLongerThanTheRunsThatMayNeedIt() {
        // given a dictionary that was requested now, and one some hours before
        var dictionary = "insert into log_dictionary (flow_version_id, text, last_asked) values ($1, $2, $3)";
        var now = clock.instant();
        Waiting.await(database.query(dictionary, "newer", Buffer.buffer("{}"), now));
        Waiting.await(database.query(dictionary, "older", Buffer.buffer("{}"), now.minus(Duration.ofHours(6))));

        // When
        clock.advance(Duration.ofDays(RETENTION_DAYS + 4));
        keepHouse();

        // Then
        assertThat(dictionaries()).isEqualTo(2);

        // When
        clock.advance(Duration.ofHours(36));
        keepHouse();

        // Then
        assertThat(dictionaries()).isZero();
    }

    private long dictionaries() {
        var rows = Waiting.await(database.query("select count(*) from log_dictionary"));
        return rows.iterator().next().getLong(0);
    }

    private void keepHouse() {
        Waiting.await(bus.ask(new RunHousekeepingService.Round(), ROUND_DEADLINE_MS));
    }

    private long partitions() {
        var rows = Waiting.await(database.query("""
                select count(*) from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'ended_run'::regclass and c.relname like 'ended_run_2%'
                """));
        return rows.iterator().next().getLong(0);
    }

    private void commit() {
        Instant now = clock.instant();
        var header = new RunWrite.RunHeader(
                Ids.next(),
                now,
                "project",
                new RunWrite.RunHeader.FlowOfRun("flow", "version"),
                RunEnvironment.PRODUCTION,
                now,
                new RunWrite.RunHeader.RunOrigin(null, false, null, null, null),
                "Flow");
        var ending = new RunWrite.Ending(EndStatus.SUCCEEDED, now, null, List.of(), 1, Buffer.buffer("{}"));
        var written = Waiting.await(database.read(
                tx -> new RunStore().write(tx, List.of(new RunWrite.InsertEnded(header, ending)))));
        assertThat(written).containsExactly(header.id());
    }
}
