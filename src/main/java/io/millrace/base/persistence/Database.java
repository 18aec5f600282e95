package io.millrace.base.persistence;

import io.millrace.base.persistence.connection.DatabaseConnections;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of connections, with two ways to use one: in a transaction, or to read.
 *
 * <p>Failures are translated: UNAVAILABLE when the database cannot be reached or is out of connections and nothing has been
 * changed, OUTCOME_UNKNOWN when something may have been changed (decision 0380), {@link ConstraintViolation} for a refused
 * write, INVALID_INPUT for a value that PostgreSQL cannot keep; anything else is a defect. Translation happens when the work
 * is over: inside it the driver's own failures are visible. While the database is known to be unavailable
 * ({@link DatabaseCircuit}), work is refused before it begins. Every wait is bounded: see decision 0101 for the deadlines of
 * statements and connections.
 */
public final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private static final int ATTEMPTS_MAX = 5;
    private static final long BACKOFF_MS = 10;
    private static final long CLOSE_MS_MAX = 5_000;

    private static final int URGENT_SIZE = 2;
    private static final int DIVIDED_FROM = 6;

    /** Longer than the pause between two renewals of a node's lease, which is the least that is written. */
    private static final Duration SHORTAGE_REMEMBERED = Duration.ofSeconds(10);

    private static final DatabaseCircuit.Times CIRCUIT_TIMES =
            new DatabaseCircuit.Times(Duration.ofMillis(250), Duration.ofSeconds(1));

    private final Vertx vertx;
    private final DatabaseSettings settings;
    private final Pool pool;

    /** Connections reserved for urgent work; empty if there are too few to divide. */
    private final Optional<Pool> urgentPool;

    private final DatabaseCircuit circuit;
    private final WriteInterceptor writes;
    private final AtomicReference<Long> lastShortage;

    /** True if the circuit belongs to another instance, which closes it. */
    private final boolean apart;

    private Database(
            Vertx vertx,
            DatabaseSettings settings,
            Pool pool,
            Optional<Pool> urgentPool,
            DatabaseCircuit circuit,
            WriteInterceptor writes,
            AtomicReference<Long> lastShortage,
            boolean apart) {
        this.vertx = vertx;
        this.settings = settings;
        this.apart = apart;
        this.pool = pool;
        this.urgentPool = urgentPool;
        this.circuit = circuit;
        this.writes = writes;
        this.lastShortage = lastShortage;
    }

    /** Makes a pool; connects on first use. A socket needs a Vertx that prefers the native transport. */
    public static Database open(Vertx vertx, DatabaseSettings settings) {
        return open(vertx, settings, WriteInterceptor.NONE);
    }

    public static Database open(Vertx vertx, DatabaseSettings settings, WriteInterceptor writes) {
        var urgentSize = settings.pool().size() < DIVIDED_FROM ? 0 : URGENT_SIZE;
        var pool = DatabaseConnections.pool(
                vertx, settings, "requests", settings.pool().size() - urgentSize);
        var urgentPool = Optional.of(urgentSize)
                .filter(size -> size > 0)
                .map(size -> DatabaseConnections.pool(vertx, settings, "commits", size));
        var circuit = new DatabaseCircuit(vertx, () -> DatabaseProbe.send(vertx, settings), CIRCUIT_TIMES);
        return new Database(vertx, settings, pool, urgentPool, circuit, writes, new AtomicReference<>(), false);
    }

    /**
     * The same database over a separate pool, for short work on the path of every call: commits of runs do not queue behind
     * the lists of administrators (decision 0212).
     */
    public Database urgent() {
        return urgentPool
                .map(urgent ->
                        new Database(vertx, settings, urgent, Optional.empty(), circuit, writes, lastShortage, true))
                .orElse(this);
    }

    /**
     * Runs work in a transaction: committed when its future succeeds, rolled back when it fails.
     *
     * <p>The work must be idempotent: when the database rolls back the transaction because of concurrent ones (deadlock,
     * serialization) it is retried from its beginning, a few times. It must therefore have no effect outside the transaction:
     * no message, no request, no counter before the returned future succeeds.
     */
    public <T> Future<T> inTransaction(Function<Tx, Future<T>> work) {
        var effect = new WorkEffect();
        return circuit.guard(effect, () -> attempt(effect, work, 1))
                .recover(failure -> Future.failedFuture(translated(failure, effect)));
    }

    /**
     * Records the result of an effect that has happened outside the process, such as a stored object or a registration at a
     * service: a transaction that is retried with backoff while the database is unavailable. The last failure is the result
     * after 20 s.
     *
     * @param work idempotent even after it was committed, because an attempt without an answer may have been
     */
    public <T> Future<T> recordingEffect(Function<Tx, Future<T>> work) {
        return recordingEffect(OutageRetry.OF_CALLERS, work);
    }

    /** @param patience total of the pauses after which the last failure is the result */
    public <T> Future<T> recordingEffect(Duration patience, Function<Tx, Future<T>> work) {
        return new OutageRetry(pauseMs -> vertx.timer(pauseMs).mapEmpty())
                .perform(patience, () -> false, () -> inTransaction(work));
    }

    /**
     * Runs work without a transaction: each statement commits separately. A statement that the database rolls back because of
     * concurrent ones is retried a few times; other failures are not retried.
     */
    public <T> Future<T> read(Function<Tx, Future<T>> work) {
        var effect = new WorkEffect();
        Tx.Repetition statements = (sql, statement) ->
                WorkEffect.isWrite(sql) ? repeated(() -> effect.during(statement), 1) : repeated(statement, 1);
        return circuit.guard(effect, () -> pool.withConnection(connection -> run(work, new Tx(connection, statements))))
                .recover(failure -> Future.failedFuture(translated(failure, effect)));
    }

    public <T> Future<T> durably(DurableWrite write, Supplier<Future<T>> transaction) {
        return writes.perform(() -> List.of(write), transaction);
    }

    /**
     * Performs a transaction that holds several.
     *
     * @param kinds computed only on demand
     */
    public <T> Future<T> durably(
            Supplier<? extends Collection<? extends DurableWrite>> kinds, Supplier<Future<T>> transaction) {
        return writes.perform(kinds, transaction);
    }

    /**
     * Answers the caller of a write that shares its transaction with others.
     *
     * @param success result for the caller once the write is durable
     */
    public <T> Future<T> answering(T success, Supplier<Future<T>> write) {
        return writes.answer(success, write);
    }

    public Future<RowSet<Row>> query(String sql, Object... values) {
        return read(tx -> tx.query(sql, values));
    }

    /**
     * The same database over one dedicated connection, for work that must not wait for other work. Its {@link #close} closes
     * that connection only.
     *
     * @param name of its metrics
     */
    public Database apart(String name) {
        var one = DatabaseConnections.pool(vertx, settings, name, 1);
        return new Database(vertx, settings, one, Optional.empty(), circuit, writes, lastShortage, true);
    }

    /** Subscribes to a channel of notifications, effective once it is opened; received on the context of its opener. */
    public DatabaseNotifications notifications(String channel, Consumer<String> received) {
        return new DatabaseNotifications(vertx, DatabaseConnections.connectOptions(settings), channel, received);
    }

    /**
     * Returns true if the database has lately refused work for lack of memory, disk or connections: it may still answer
     * reads.
     */
    public boolean isShortOfResources() {
        var last = lastShortage.get();
        return last != null && System.nanoTime() - last < SHORTAGE_REMEMBERED.toNanos();
    }

    /**
     * Time in milliseconds for which the database has been unavailable: because it cannot be reached, or because it answers
     * no request; 0 while it answers.
     */
    public long unavailableMs() {
        return circuit.unavailableMs();
    }

    /** Returns true if the object that a statement was to create had been created by another node. */
    public static boolean isThereAlready(Throwable failure) {
        return DatabaseFailure.isThereAlready(failure);
    }

    /** Returns true if work failed because the database is reachable and refuses this server's login. */
    public static boolean isRefusedAccess(Throwable failure) {
        return DatabaseFailure.isRefusedAccess(failure);
    }

    private Throwable translated(Throwable failure, WorkEffect effect) {
        if (DatabaseFailure.isShortage(failure)) {
            lastShortage.set(System.nanoTime());
        } else if (DatabaseFailure.isUnavailable(failure)) {
            circuit.suspect();
        }
        return DatabaseFailure.translated(failure, effect.isPossible());
    }

    public int connections() {
        return pool.size() + urgentPool.map(Pool::size).orElse(0);
    }

    /** Closes every connection. Work that still waits for one fails: Vert.x 5.0.12 forgets the waiters of a closed pool. */
    public Future<Void> close() {
        if (!apart) {
            circuit.stop();
        }
        return Future.join(closed(pool), urgentPool.map(Database::closed).orElseGet(Future::succeededFuture))
                .onComplete(_ -> {
                    if (!apart) {
                        circuit.abandon();
                    }
                })
                .mapEmpty();
    }

    /** Vert.x 5.0.12: a pool that is closed while the timeout of a waiting request fires never ends its close. */
    private static Future<Void> closed(Pool pool) {
        return pool.close().timeout(CLOSE_MS_MAX, TimeUnit.MILLISECONDS).recover(failure -> {
            LOG.warn(
                    "cannot close database connections, they stay open until the process ends: {}",
                    failure.getMessage());
            return Future.succeededFuture();
        });
    }

    private <T> Future<T> attempt(WorkEffect effect, Function<Tx, Future<T>> work, int number) {
        var begun = new AtomicBoolean();
        var committing = new AtomicBoolean();
        Function<Tx, Future<T>> watched = tx -> {
            begun.set(true);
            return work.apply(tx).compose(value -> {
                // Work that was abandoned meanwhile is rolled back: its caller already has the answer that nothing
                // changed.
                if (!effect.begin()) {
                    return Future.failedFuture(DatabaseFailure.away());
                }
                committing.set(true);
                return Future.succeededFuture(value);
            });
        };
        return pool.withTransaction(connection -> run(watched, new Tx(connection, (_, statement) -> noted(statement))))
                .recover(failure -> {
                    if (committing.get() && DatabaseFailure.isWithoutEffect(failure)) {
                        effect.undone();
                    }
                    // A connection may break while idle; BEGIN then fails without an effect, and another connection is
                    // used.
                    var wasUndone = begun.get()
                            ? DatabaseFailure.isRepeatable(failure)
                            : DatabaseFailure.isLostConnection(failure);
                    if (number == ATTEMPTS_MAX || !wasUndone) {
                        return Future.failedFuture(failure);
                    }
                    return vertx.timer(backoffMs(number)).compose(_ -> attempt(effect, work, number + 1));
                });
    }

    private Future<RowSet<Row>> repeated(Supplier<Future<RowSet<Row>>> statement, int number) {
        return noted(statement).recover(failure -> {
            if (number == ATTEMPTS_MAX || !DatabaseFailure.isRepeatable(failure)) {
                return Future.failedFuture(failure);
            }
            return vertx.timer(backoffMs(number)).compose(_ -> repeated(statement, number + 1));
        });
    }

    /** A transaction may take long although each of its statements is answered. */
    private Future<RowSet<Row>> noted(Supplier<Future<RowSet<Row>>> statement) {
        return statement.get().onComplete((_, failure) -> {
            if (failure == null || failure instanceof PgException) {
                circuit.answered();
            }
        });
    }

    /**
     * Work that throws must fail its future: the client would otherwise keep the connection, or leave it open. That includes
     * errors, such as a stack overflow: the process continues, and would run out of connections.
     */
    private static <T> Future<T> run(Function<Tx, Future<T>> work, Tx tx) {
        try {
            return work.apply(tx);
        } catch (RuntimeException | Error thrown) {
            return Future.failedFuture(thrown);
        }
    }

    /** Grows with each attempt; the random part keeps transactions that collided from colliding again. */
    private static long backoffMs(int number) {
        var longest = BACKOFF_MS << number;
        return ThreadLocalRandom.current().nextLong(longest / 2, longest);
    }
}
