package io.millrace.app;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.DatabaseSettings;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.persistence.postgres.PostgresStart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** The PostgreSQL of a server: one of its own, which starts and stops with it, or the one that the settings name. */
final class ServerPostgres {
    private final Vertx vertx;
    private final Config config;
    private final List<String> options;
    private EmbeddedPostgres own;

    /** @param options of one of its own, that win over those of the server */
    ServerPostgres(Vertx vertx, Config config, List<String> options) {
        this.vertx = vertx;
        this.config = config;
        this.options = options;
    }

    /** Whether the server runs it itself: then it has no other server. */
    boolean isOwn() {
        return own != null;
    }

    /** Whether there may be a database from an earlier start. */
    boolean exists() {
        return !config.postgres().isEmbedded()
                || EmbeddedPostgres.isIn(config.data().directory());
    }

    /** How it is reached, once it can be. */
    Future<DatabaseSettings> start() {
        var settings = config.postgres();
        if (settings.isEmbedded()) {
            var chosen = EmbeddedPostgres.Settings.of(config.data()).withOptions(options);
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

    /** What the operator has to mend, where the database is there and does not let the server in; else the failure itself. */
    Throwable explained(Throwable failure) {
        if (!Database.isRefusedAccess(failure)) {
            return failure;
        }
        var cure = isOwn()
                ? "remove the file " + EmbeddedPostgres.HOME
                        + "/password in AP_DATA_DIR, and the next start makes another"
                : "mend AP_POSTGRES_USERNAME, AP_POSTGRES_PASSWORD and AP_POSTGRES_DATABASE, or AP_POSTGRES_URL";
        return new BadSetting("the database does not let this server in (" + failure.getMessage() + "): " + cure);
    }

    private DatabaseSettings pooled(DatabaseSettings settings) {
        return settings.withPool(
                        config.postgres().poolSize(),
                        Duration.ofMillis(config.postgres().idleTimeoutMs()),
                        Server.CONNECT_TIMEOUT)
                .withStatementTimeout(config.postgres().statementTimeout());
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
