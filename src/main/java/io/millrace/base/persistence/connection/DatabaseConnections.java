package io.millrace.base.persistence.connection;

import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes connections of the event loops to the database: their options on both sides, and pools of them. */
public final class DatabaseConnections {
    private static final int WAITING_MAX = 10_000;
    private static final int PIPELINING_LIMIT = 64;
    private static final int STATEMENTS_MAX = 512;
    private static final int STATEMENT_CHARACTERS_MAX = 16_384;

    /** Time after which unacknowledged data means that the peer is gone. */
    private static final Duration ACKNOWLEDGEMENT_DEADLINE = Duration.ofSeconds(10);

    /**
     * The server ends a statement that takes too long. The client closes a connection that has not reported this end
     * after the allowance.
     */
    private static final Duration STATEMENT_ALLOWANCE = Duration.ofSeconds(5);

    private DatabaseConnections() {}

    /**
     * A pool of the given size with the deadlines of decision 0101; connects on first use.
     *
     * @param name of its metrics
     */
    public static Pool pool(Vertx vertx, DatabaseSettings settings, String name, int size) {
        return pool(vertx, settings, name, size, settings.statementTimeout().plus(STATEMENT_ALLOWANCE));
    }

    /**
     * The same with another deadline.
     *
     * @param silence time without an answer after which a connection is closed, and its pending work fails
     */
    public static Pool pool(Vertx vertx, DatabaseSettings settings, String name, int size, Duration silence) {
        var poolOptions = new PoolOptions()
                .setName(name)
                .setMaxSize(size)
                .setMaxWaitQueueSize(WAITING_MAX)
                .setIdleTimeout(Math.toIntExact(idleTimeout(settings).toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setConnectionTimeout(
                        Math.toIntExact(settings.pool().connectTimeout().toMillis()))
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        var netOptions = new NetClientOptions()
                .setConnectTimeout(
                        Math.toIntExact(settings.pool().connectTimeout().toMillis()))
                .setTcpKeepAlive(true)
                .setTcpUserTimeout(Math.toIntExact(ACKNOWLEDGEMENT_DEADLINE.toMillis()))
                .setIdleTimeout(Math.toIntExact(silence.toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        return PgBuilder.pool()
                .with(poolOptions)
                .with(netOptions)
                .connectingTo(connectOptions(settings))
                .using(vertx)
                .build();
    }

    /** An idle connection leaves the pool before it counts as silent. */
    private static Duration idleTimeout(DatabaseSettings settings) {
        var wanted = settings.pool().idleTimeout();
        var longest = settings.statementTimeout();
        return wanted.isZero() || wanted.compareTo(longest) > 0 ? longest : wanted;
    }

    public static PgConnectOptions connectOptions(DatabaseSettings settings) {
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
                .setSslMode(SslMode.of(settings.tls().mode().word()));
        options.setProperties(sessionParameters(settings));
        if (settings.tls().mode() != DatabaseSettings.Encryption.DISABLE) {
            options.setSslOptions(sslOptions(settings));
        }
        return options;
    }

    /**
     * Timeouts that the server enforces: on long statements, on idle transactions, and on sessions whose client has vanished,
     * so that none of them holds its locks.
     */
    private static Map<String, String> sessionParameters(DatabaseSettings settings) {
        var timeoutMs = Long.toString(settings.statementTimeout().toMillis());
        return Map.of(
                "application_name", "millrace",
                // The driver refuses others; a database in another encoding is refused later, with the remedy.
                "client_encoding", "UTF8",
                "client_min_messages", "warning",
                "statement_timeout", timeoutMs,
                "idle_in_transaction_session_timeout", timeoutMs,
                "tcp_keepalives_idle", "30",
                "tcp_keepalives_interval", "10",
                "tcp_keepalives_count", "3",
                "tcp_user_timeout", Long.toString(ACKNOWLEDGEMENT_DEADLINE.toMillis()));
    }

    /** The driver itself does not compare names below verify-full. */
    private static ClientSSLOptions sslOptions(DatabaseSettings settings) {
        var tls = settings.tls();
        var options = new ClientSSLOptions()
                .setTrustOptions(TrustOptions.wrap(TlsManagers.trust(tls)))
                .setHostnameVerificationAlgorithm(tls.mode() == DatabaseSettings.Encryption.VERIFY_FULL ? "HTTPS" : "");
        TlsManagers.key(tls).ifPresent(key -> options.setKeyCertOptions(KeyCertOptions.wrap(key)));
        return options;
    }
}
