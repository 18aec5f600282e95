package io.millrace.persistence;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The pool of connections, and the two ways to use one: in a transaction, or to read.
 *
 * <p>Failures come translated: UNAVAILABLE when the database cannot be reached or is out of connections,
 * {@link ConstraintViolation} for a refused write, INVALID_INPUT for a value that PostgreSQL cannot keep; anything else
 * is a defect. Translation happens when the work is over: inside of it the client's own failures are seen. While the
 * database is known to be away ({@link Reach}), work is refused before it begins.
 */
public final class Database {
    private static final int ATTEMPTS_MAX = 5;
    private static final long BACKOFF_MS = 10;
    private static final int WAITING_MAX = 10_000;
    private static final int PIPELINING_LIMIT = 64;
    private static final int STATEMENTS_MAX = 512;
    private static final int STATEMENT_CHARACTERS_MAX = 16_384;

    private static final int URGENT_SIZE = 2;
    private static final int DIVIDED_FROM = 6;

    /** Longer than the pause between two renewals of a node's lease, which is the least that is written. */
    private static final Duration SHORTAGE_REMEMBERED = Duration.ofSeconds(10);

    private static final Duration KNOCK_PAUSE = Duration.ofMillis(250);
    private static final Duration KNOCK_DEADLINE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final DatabaseSettings settings;
    private final Pool pool;

    /** The connections that are kept for urgent work; none where there are too few to divide. */
    private final Optional<Pool> urgentPool;

    private final Reach reach;
    private final AtomicReference<Long> lastShortage;

    /** Whether others use the same circuit. */
    private final boolean apart;

    private Database(
            Vertx vertx,
            DatabaseSettings settings,
            Pool pool,
            Optional<Pool> urgentPool,
            Reach reach,
            AtomicReference<Long> lastShortage,
            boolean apart) {
        this.vertx = vertx;
        this.settings = settings;
        this.apart = apart;
        this.pool = pool;
        this.urgentPool = urgentPool;
        this.reach = reach;
        this.lastShortage = lastShortage;
    }

    /** Makes a pool; connects on first use. A socket needs a Vertx that prefers the native transport. */
    public static Database open(Vertx vertx, DatabaseSettings settings) {
        var urgentSize = settings.poolSize() < DIVIDED_FROM ? 0 : URGENT_SIZE;
        var pool = pool(vertx, settings, settings.poolSize() - urgentSize);
        var urgentPool = Optional.of(urgentSize).filter(size -> size > 0).map(size -> pool(vertx, settings, size));
        var reach = new Reach(vertx, () -> knock(vertx, settings), KNOCK_PAUSE);
        return new Database(vertx, settings, pool, urgentPool, reach, new AtomicReference<>(), false);
    }

    private static Pool pool(Vertx vertx, DatabaseSettings settings, int size) {
        var poolOptions = new PoolOptions()
                .setMaxSize(size)
                .setMaxWaitQueueSize(WAITING_MAX)
                .setIdleTimeout(Math.toIntExact(settings.idleTimeout().toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setConnectionTimeout(Math.toIntExact(settings.connectTimeout().toMillis()))
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        var netOptions = new NetClientOptions()
                .setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()));
        return PgBuilder.pool()
                .with(poolOptions)
                .with(netOptions)
                .connectingTo(connectOptions(settings))
                .using(vertx)
                .build();
    }

    /**
     * The same database by connections of its own, for what somebody's answer waits for at every call and what never
     * takes long: commits of runs do not queue behind the lists of administrators (decision 0072).
     */
    public Database urgent() {
        return urgentPool
                .map(urgent -> new Database(vertx, settings, urgent, Optional.empty(), reach, lastShortage, true))
                .orElse(this);
    }

    /**
     * The pool may be busy, or hold connections that are dead and do not know it: only a new one tells. One that somebody
     * opened and lost tells nothing yet.
     */
    static Future<?> knock(Vertx vertx, DatabaseSettings settings) {
        return knockOnce(vertx, settings)
                .recover(failure -> DatabaseFailure.isLostConnection(failure)
                        ? knockOnce(vertx, settings)
                        : Future.failedFuture(failure));
    }

    private static Future<RowSet<Row>> knockOnce(Vertx vertx, DatabaseSettings settings) {
        var connected = PgConnection.connect(vertx, connectOptions(settings));
        var answered =
                connected.compose(connection -> connection.query("select 1").execute());
        var _ = answered.eventually(() -> connected.compose(PgConnection::close));
        return answered.timeout(KNOCK_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Runs work in a transaction: committed when its future succeeds, rolled back when it fails.
     *
     * <p>By contract the work is safe to repeat: when the database undoes the transaction because of others (deadlock,
     * serialization) it runs again from its beginning, a few times. It must therefore touch nothing but the
     * transaction: no message, no request, no counter before the returned future succeeds.
     */
    public <T> Future<T> inTransaction(Function<Tx, Future<T>> work) {
        if (reach.isAway()) {
            return Future.failedFuture(DatabaseFailure.away());
        }
        return attempt(work, 1).recover(failure -> Future.failedFuture(translated(failure)));
    }

    /**
     * Runs work without a transaction: each statement stands for itself. One that the database undoes because of others
     * is repeated, a few times; after any other failure nothing is.
     */
    public <T> Future<T> read(Function<Tx, Future<T>> work) {
        if (reach.isAway()) {
            return Future.failedFuture(DatabaseFailure.away());
        }
        return pool.withConnection(connection -> run(work, new Tx(connection, statement -> repeated(statement, 1))))
                .recover(failure -> Future.failedFuture(translated(failure)));
    }

    /** Runs one statement that is a transaction of its own. */
    public Future<RowSet<Row>> query(String sql, Object... values) {
        return read(tx -> tx.query(sql, values));
    }

    /**
     * The same database by one connection of its own, for what must not wait for anything else. Its {@link #close}
     * closes that connection only.
     */
    public Database apart() {
        return new Database(vertx, settings, pool(vertx, settings, 1), Optional.empty(), reach, lastShortage, true);
    }

    /**
     * Whether the database has lately refused something for want of memory, disk or connections: it may answer reads
     * all the same.
     */
    public boolean isShortOfResources() {
        var last = lastShortage.get();
        return last != null && System.nanoTime() - last < SHORTAGE_REMEMBERED.toNanos();
    }

    private Throwable translated(Throwable failure) {
        if (DatabaseFailure.isShortage(failure)) {
            lastShortage.set(System.nanoTime());
        } else if (DatabaseFailure.isUnavailable(failure)) {
            reach.doubt();
        }
        return DatabaseFailure.translated(failure);
    }

    /** Connections that are open now. */
    public int connections() {
        return pool.size() + urgentPool.map(Pool::size).orElse(0);
    }

    /** Closes every connection. */
    public Future<Void> close() {
        if (!apart) {
            reach.close();
        }
        return Future.join(pool.close(), urgentPool.map(Pool::close).orElseGet(Future::succeededFuture))
                .mapEmpty();
    }

    private <T> Future<T> attempt(Function<Tx, Future<T>> work, int number) {
        var begun = new AtomicBoolean();
        Function<Tx, Future<T>> watched = tx -> {
            begun.set(true);
            return work.apply(tx);
        };
        return pool.withTransaction(connection -> run(watched, new Tx(connection, Supplier::get)))
                .recover(failure -> {
                    // A connection may die while it is idle, which shows in BEGIN: then nothing was done, and another
                    // is taken.
                    var wasUndone = begun.get()
                            ? DatabaseFailure.isRepeatable(failure)
                            : DatabaseFailure.isLostConnection(failure);
                    if (number == ATTEMPTS_MAX || !wasUndone) {
                        return Future.failedFuture(failure);
                    }
                    return vertx.timer(backoffMs(number)).compose(_ -> attempt(work, number + 1));
                });
    }

    private Future<RowSet<Row>> repeated(Supplier<Future<RowSet<Row>>> statement, int number) {
        return statement.get().recover(failure -> {
            if (number == ATTEMPTS_MAX || !DatabaseFailure.isRepeatable(failure)) {
                return Future.failedFuture(failure);
            }
            return vertx.timer(backoffMs(number)).compose(_ -> repeated(statement, number + 1));
        });
    }

    /**
     * Work that throws must fail its future: the client would otherwise keep the connection, or leave it open. An error
     * too, such as of a stack that was too deep: the process lives on, and would run out of connections.
     */
    private static <T> Future<T> run(Function<Tx, Future<T>> work, Tx tx) {
        try {
            return work.apply(tx);
        } catch (RuntimeException | Error thrown) {
            return Future.failedFuture(thrown);
        }
    }

    /** Grows with each attempt; the random part keeps those who met once from meeting again. */
    private static long backoffMs(int number) {
        var longest = BACKOFF_MS << number;
        return ThreadLocalRandom.current().nextLong(longest / 2, longest);
    }

    private static PgConnectOptions connectOptions(DatabaseSettings settings) {
        var options = new PgConnectOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setDatabase(settings.database())
                .setUser(settings.user())
                .setPassword(settings.password())
                .setPipeliningLimit(PIPELINING_LIMIT)
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(STATEMENTS_MAX)
                .setPreparedStatementCacheSqlFilter(sql -> sql.length() <= STATEMENT_CHARACTERS_MAX)
                .setSslMode(SslMode.of(settings.encryption().word()));
        options.setProperties(Map.of("application_name", "millrace", "client_min_messages", "warning"));
        if (settings.encryption() != DatabaseSettings.Encryption.DISABLE) {
            options.setSslOptions(sslOptions(settings));
        }
        return options;
    }

    /** Like libpq: below verify-ca any certificate is accepted, unless the operator named an authority. */
    private static ClientSSLOptions sslOptions(DatabaseSettings settings) {
        var options = new ClientSSLOptions();
        var authority = settings.certificateAuthority();
        authority.ifPresent(pem -> options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(pem))));
        return switch (settings.encryption()) {
            case DISABLE, ALLOW, PREFER, REQUIRE ->
                options.setTrustAll(authority.isEmpty()).setHostnameVerificationAlgorithm("");
            case VERIFY_CA -> options.setHostnameVerificationAlgorithm("");
            case VERIFY_FULL -> options.setHostnameVerificationAlgorithm("HTTPS");
        };
    }
}
