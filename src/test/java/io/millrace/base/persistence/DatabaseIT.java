package io.millrace.base.persistence;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.support.FaultyProxy;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseIT {
    private static final String COUNT = "select count(*) as rows from mill";

    @AutoClose
    private final TestDatabase opened =
            TestDatabase.of(TestPostgres.emptyDatabase().withPool(2, Duration.ofMinutes(1), Duration.ofSeconds(20)));

    private final Vertx vertx = opened.vertx();
    private final DatabaseSettings settings = opened.settings();
    private final Database database = opened.database();

    @BeforeEach
    void open() {
        await(database.query("create table mill (id text constraint mill_pk primary key, name text, plan jsonb)"));
        await(database.query("create table wheel (mill_id text constraint wheel_mill_fk references mill (id))"));
    }

    @Test
    void commits_whenTheWorkSucceeds() {
        await(database.inTransaction(tx -> insert(tx, "a").compose(_ -> insert(tx, "b"))));

        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void rollsBack_whenTheWorkFails() {
        var failed = database.inTransaction(
                tx -> insert(tx, "a").compose(_ -> Future.failedFuture(new IllegalStateException("enough"))));

        assertThatThrownBy(() -> await(failed)).hasMessage("enough");
        assertThat(rows()).isZero();
    }

    @Test
    void givesTheConnectionBack_whenTheWorkThrows() {
        for (var i = 0; i < 2 * settings.pool().size(); i++) {
            assertThatThrownBy(() -> await(database.<Void>inTransaction(tx -> {
                        throw new IllegalStateException("thrown in a transaction");
                    })))
                    .hasMessage("thrown in a transaction");
            assertThatThrownBy(() -> await(database.<Void>read(tx -> {
                        throw new IllegalStateException("thrown while reading");
                    })))
                    .hasMessage("thrown while reading");
            assertThatThrownBy(() -> await(database.<Void>read(tx -> {
                        throw new LinkageError("found no class while reading");
                    })))
                    .hasStackTraceContaining("found no class while reading");
        }

        assertThat(rows()).isZero();
    }

    @Test
    void answersUrgentWork_whileEverybodyElseWaits() {
        // given
        var divided = Database.open(vertx, settings.withPool(6, Duration.ofMinutes(1), Duration.ofSeconds(20)));
        var enough = Promise.<Void>promise();
        var holders = IntStream.range(0, 4)
                .mapToObj(_ -> divided.read(tx -> tx.query(COUNT).compose(_ -> enough.future())))
                .toList();
        var waiting = divided.query(COUNT);

        // when
        var urgent = divided.urgent().query(COUNT);

        // then
        assertThat(await(urgent).size()).isEqualTo(1);
        assertThat(waiting.isComplete()).isFalse();
        enough.complete();
        assertThat(await(waiting).size()).isEqualTo(1);
        await(Future.all(holders));
        await(divided.close());
    }

    @Test
    void repeatsTheWork_whenADeadlockUndoesIt() {
        await(database.query("insert into mill (id, name) values ('a', ''), ('b', '')"));
        var attempts = new AtomicInteger();
        var firstHolds = Promise.<Void>promise();
        var secondHolds = Promise.<Void>promise();

        var first = database.inTransaction(tx -> {
            attempts.incrementAndGet();
            return append(tx, "a", "1")
                    .onSuccess(_ -> firstHolds.tryComplete())
                    .compose(_ -> secondHolds.future())
                    .compose(_ -> append(tx, "b", "1"));
        });
        var second = database.inTransaction(tx -> {
            attempts.incrementAndGet();
            return append(tx, "b", "2")
                    .onSuccess(_ -> secondHolds.tryComplete())
                    .compose(_ -> firstHolds.future())
                    .compose(_ -> append(tx, "a", "2"));
        });
        await(Future.all(first, second));

        assertThat(attempts).hasValueGreaterThan(2);
        var names = await(database.query("select name from mill"));
        assertThat(Rows.all(names, row -> Rows.text(row, "name"))).allMatch(name -> name.length() == 2);
    }

    @Test
    void namesTheConstraint_thatAWriteViolates() {
        await(database.inTransaction(tx -> insert(tx, "a")));

        var twice = database.inTransaction(tx -> insert(tx, "a"));
        var lost = database.query("insert into wheel values ('absent')");

        assertThatThrownBy(() -> await(twice))
                .asInstanceOf(type(ConstraintViolation.class))
                .satisfies(violation -> {
                    assertThat(violation.kind()).isEqualTo(ConstraintViolation.Kind.UNIQUE);
                    assertThat(violation.constraint()).isEqualTo("mill_pk");
                });
        assertThatThrownBy(() -> await(lost))
                .asInstanceOf(type(ConstraintViolation.class))
                .satisfies(violation -> {
                    assertThat(violation.kind()).isEqualTo(ConstraintViolation.Kind.FOREIGN_KEY);
                    assertThat(violation.constraint()).isEqualTo("wheel_mill_fk");
                });
    }

    @Test
    void answersUnavailable_whenNoConnectionIsFreeInTime() {
        var single = Database.open(vertx, settings.withPool(1, Duration.ofMinutes(1), Duration.ofSeconds(1)));
        var held = Promise.<Void>promise();
        var done = Promise.<Void>promise();
        var holder = single.read(
                tx -> tx.query("select 1").onSuccess(_ -> held.complete()).compose(_ -> done.future()));
        await(held.future());

        assertRefused(() -> await(single.query(COUNT)), ErrorCode.UNAVAILABLE);

        done.complete();
        await(holder);
        assertThat(await(single.query(COUNT)).size()).isEqualTo(1);
        await(single.close());
    }

    @Test
    void answersUnavailable_whenTheConnectionIsCut_andConnectsAgain() {
        var cut = database.inTransaction(tx -> tx.query("select pg_backend_pid() as pid")
                .compose(pid -> database.query(
                        "select pg_terminate_backend($1)",
                        Rows.integer(pid.iterator().next(), "pid")))
                .compose(_ -> insert(tx, "a")));

        assertRefused(() -> await(cut), ErrorCode.UNAVAILABLE);
        Waiting.until("another connection serves", this::isAnswered);
        var count = database.inTransaction(tx -> tx.query(COUNT));
        assertThat(Rows.whole(await(count).iterator().next(), "rows")).isZero();
    }

    private boolean isAnswered() {
        return await(database.inTransaction(tx -> tx.query(COUNT))
                .transform(answer -> Future.succeededFuture(answer.succeeded())));
    }

    @Test
    void takesAnotherConnection_whenAllHaveDiedWhileIdle() {
        var other = Database.open(vertx, settings);
        await(Future.all(database.query("select pg_sleep(0.1)"), database.query("select pg_sleep(0.1)")));
        await(other.query("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()"));

        await(database.inTransaction(tx -> insert(tx, "a")));

        var count = await(other.query(COUNT));
        assertThat(Rows.whole(count.iterator().next(), "rows")).isEqualTo(1);
        await(other.close());
    }

    @Test
    void answersUnavailable_whenThePortIsClosed() {
        var absent = Database.open(vertx, DatabaseSettings.of("127.0.0.1", 1, "none", "none", ""));

        assertRefused(() -> await(absent.query("select 1")), ErrorCode.UNAVAILABLE);
        await(absent.close());
    }

    @Test
    void endsAStatement_thatTakesTooLong_andKeepsTheConnection() {
        var impatient = Database.open(vertx, settings.withStatementTimeout(Duration.ofSeconds(1)));

        assertRefused(() -> await(impatient.query("select pg_sleep(60)")), ErrorCode.UNAVAILABLE);

        assertThat(await(impatient.query("select 1 as one")).size()).isEqualTo(1);
        await(impatient.close());
    }

    @Test
    void endsAnAbandonedTransaction() {
        // given a transaction that locks a row and does not end
        var impatient = Database.open(vertx, settings.withStatementTimeout(Duration.ofSeconds(1)));
        var abandoned = impatient.inTransaction(
                tx -> insert(tx, "a").compose(_ -> Promise.<Void>promise().future()));

        // then another one gets the lock
        await(database.inTransaction(tx -> insert(tx, "a")));
        assertThat(rows()).isEqualTo(1);
        assertThat(abandoned.succeeded()).isFalse();
        await(impatient.close());
    }

    @Test
    void closesAConnection_withoutResponses() {
        // given connections in use, and a proxy that drops all traffic except that of new connections
        try (var way = FaultyProxy.to(settings.port())) {
            var behind = Database.open(vertx, way.seen(settings).withStatementTimeout(Duration.ofSeconds(1)));
            await(behind.query("select 1"));

            // when
            way.silence();

            // then the pending query ends, and later ones, too
            assertRefused(() -> await(behind.query("select 1")), ErrorCode.UNAVAILABLE);
            assertRefused(() -> await(behind.query("select 1")), ErrorCode.UNAVAILABLE);

            // when the proxy forwards again
            way.mend();
            Waiting.until(
                    "the database answers",
                    () -> await(behind.query("select 1").map(true).otherwise(false)));
            await(behind.close());
        }
    }

    @Test
    void answersOutcomeUnknown_whenTheAnswerToAChangeIsLost() {
        try (var way = FaultyProxy.to(settings.port())) {
            var behind = Database.open(vertx, way.seen(settings).withStatementTimeout(Duration.ofSeconds(1)));
            await(behind.inTransaction(tx -> insert(tx, "first")));

            // given a transaction whose commit is sent and not acknowledged
            var committing = behind.inTransaction(tx -> insert(tx, "a").onSuccess(_ -> way.silence()));
            assertRefused(() -> await(committing), ErrorCode.OUTCOME_UNKNOWN);
            restore(way, behind);

            // given a statement outside of a transaction
            await(behind.query(COUNT).onSuccess(_ -> way.silence()));
            assertRefused(() -> await(behind.read(tx -> insert(tx, "b"))), ErrorCode.OUTCOME_UNKNOWN);
            restore(way, behind);
            await(behind.close());
        }
    }

    @Test
    void changesNothingLater_whenATransactionWasAbandonedBeforeItsCommit() {
        try (var way = FaultyProxy.to(settings.port())) {
            var behind = Database.open(vertx, way.seen(settings).withStatementTimeout(Duration.ofSeconds(20)));
            var goesOn = Promise.<Void>promise();
            var abandoned = behind.inTransaction(
                    tx -> insert(tx, "a").onSuccess(_ -> way.silence()).compose(_ -> goesOn.future()));

            assertRefused(() -> await(abandoned), ErrorCode.UNAVAILABLE);
            restore(way, behind);
            goesOn.complete();

            await(behind.close());
            assertThat(rows()).isZero();
        }
    }

    private static void restore(FaultyProxy way, Database behind) {
        way.mend();
        Waiting.until(
                "the database answers",
                () -> await(behind.query("select 1").map(true).otherwise(false)));
    }

    @Test
    void probesAgain_whenOneConnectionWasOpenedAndLost() {
        try (var way = FaultyProxy.to(settings.port())) {
            var behind = DatabaseSettings.of(
                    "127.0.0.1", way.port(), settings.database(), settings.user(), settings.password());

            way.lose(1);
            await(DatabaseProbe.send(vertx, behind));

            way.lose(2);
            assertThatThrownBy(() -> await(DatabaseProbe.send(vertx, behind)))
                    .satisfies(failure -> assertThat(DatabaseFailure.isLostConnection(failure))
                            .isTrue());

            way.cut();
            assertThatThrownBy(() -> await(DatabaseProbe.send(vertx, behind))).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void refusesAsTheCallersFault_whatPostgresCannotKeep() {
        assertRefused(
                () -> await(database.query("insert into mill (id) values ($1)", "nul \0 inside")),
                ErrorCode.INVALID_INPUT);
        assertRefused(
                () -> await(database.query(
                        "insert into mill (id, plan) values ('a', $1)",
                        Json.object().put("text", "nul \0 inside"))),
                ErrorCode.INVALID_INPUT);
        assertThat(rows()).isZero();
    }

    @Test
    void leavesAMistakeInAStatementADefect() {
        assertThatThrownBy(() -> await(database.query("select nonsense from nowhere")))
                .isNotInstanceOf(ApiException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> await(database.query("select $1::bigint", "a text")))
                .isNotInstanceOf(ApiException.class)
                .hasMessageContaining("can not be coerced");
        assertThatThrownBy(() -> await(database.query("select $1::bigint")))
                .isNotInstanceOf(ApiException.class)
                .hasMessageContaining("number of parameters");
    }

    @Test
    void runsABatch_inOneTransaction() {
        await(database.inTransaction(tx ->
                tx.batch("insert into mill (id) values ($1)", List.of(Tuple.of("a"), Tuple.of("b"), Tuple.of("c")))));

        assertThat(rows()).isEqualTo(3);
    }

    @Test
    void commitsManyCallersTogether_andFailsOnlyTheGuilty() {
        var writer = new GroupCommit<String, String>(
                GroupCommit.Limits.usual(),
                String::length,
                ids -> database.query(
                                "insert into mill (id) select * from unnest($1::text[])", (Object) Values.texts(ids))
                        .map(ids),
                ms -> vertx.timer(ms));
        var context = vertx.getOrCreateContext();
        var all = Promise.<List<Future<String>>>promise();

        context.runOnContext(_ -> {
            var futures = java.util.stream.IntStream.range(0, 200)
                    .mapToObj(number -> writer.submit(number == 77 ? "12" : "" + number))
                    .toList();
            writer.drain().onSuccess(_ -> all.complete(futures));
        });

        var futures = await(all.future());
        assertThat(futures.stream().filter(Future::succeeded)).hasSize(199);
        assertThat(futures.get(77).cause()).isInstanceOf(ConstraintViolation.class);
        assertThat(rows()).isEqualTo(199);
    }

    private long rows() {
        return Rows.whole(await(database.query(COUNT)).iterator().next(), "rows");
    }

    private static Future<Void> insert(Tx tx, String id) {
        return tx.query("insert into mill (id) values ($1)", id).mapEmpty();
    }

    private static Future<Void> append(Tx tx, String id, String text) {
        return tx.query("update mill set name = name || $2 where id = $1", id, text)
                .mapEmpty();
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code) {
        assertThatThrownBy(call)
                .asInstanceOf(type(ApiException.class))
                .extracting(ApiException::code)
                .isEqualTo(code);
    }
}
