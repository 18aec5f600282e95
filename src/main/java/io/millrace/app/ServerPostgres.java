package io.millrace.app;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.persistence.postgres.PostgresStart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** PostgreSQL of a server: embedded, started and stopped with the server, or the external one that the settings name. */
final class ServerPostgres {
    private final Vertx vertx;
    private final Config config;
    private final List<String> options;
    private EmbeddedPostgres own;

    /** @param options options of the embedded one, which override those of the server */
    ServerPostgres(Vertx vertx, Config config, List<String> options) {
        this.vertx = vertx;
        this.config = config;
        this.options = options;
    }

    boolean isOwn() {
        return own != null;
    }

    /** Returns true if a database of an earlier start may exist. */
    boolean exists() {
        return !config.storage().postgres().isEmbedded()
                || EmbeddedPostgres.isIn(config.storage().data().directory());
    }

    /** Starts the database if it is embedded; completes with its connection settings once it accepts connections. */
    Future<DatabaseSettings> start() {
        var settings = config.storage().postgres();
        if (settings.isEmbedded()) {
            var chosen = EmbeddedPostgres.Settings.of(config.storage().data()).withOptions(options);
            return PostgresStart.of(vertx, chosen, settings.startPatience()).map(started -> {
                own = started;
                return pooled(started.connection());
            });
        }
        try {
            return Future.succeededFuture(pooled(ExternalPostgres.settings(settings)));
        } catch (BadSetting malformed) {
            return Future.failedFuture(malformed);
        }
    }

    /** Advice for the operator if the database refuses access or its certificate is not trusted; otherwise the failure itself. */
    Future<Throwable> explained(DatabaseSettings settings, Throwable failure) {
        if (!isOwn() && ApiException.isUnavailable(failure)) {
            // The driver of the pool does not report why a handshake failed, JDBC does.
            return vertx.executeBlocking(
                    () -> JdbcConnections.certificateRefusal(settings)
                            .<Throwable>map(reason -> new BadSetting("the certificate of the database is not trusted ("
                                    + reason + "): name its authority in AP_POSTGRES_SSL_CA or by sslrootcert in"
                                    + " AP_POSTGRES_URL, and with verify-full a host that the certificate names"))
                            .orElse(failure),
                    false);
        }
        if (!Database.isRefusedAccess(failure)) {
            return Future.succeededFuture(failure);
        }
        var cure = isOwn()
                ? "remove the file " + EmbeddedPostgres.HOME
                        + "/password in AP_DATA_DIR; the next start creates a new one"
                : "correct AP_POSTGRES_USERNAME, AP_POSTGRES_PASSWORD and AP_POSTGRES_DATABASE, or AP_POSTGRES_URL";
        return Future.succeededFuture(new BadSetting(
                "the database refuses the login of this server (" + failure.getMessage() + "): " + cure));
    }

    private DatabaseSettings pooled(DatabaseSettings settings) {
        return settings.withPool(
                        config.storage().postgres().poolSize(),
                        Duration.ofMillis(config.storage().postgres().idleTimeoutMs()),
                        Server.CONNECT_TIMEOUT)
                .withStatementTimeout(config.storage().postgres().statementTimeout());
    }

    Future<Void> stop() {
        return vertx.executeBlocking(() -> {
            if (own != null) {
                own.stop();
            }
            return null;
        });
    }
}
