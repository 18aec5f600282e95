package io.millrace.app;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.account.identity.OperatorAccounts;
import io.millrace.account.sealing.SealingService;
import io.millrace.account.sealing.SecretAgreement;
import io.millrace.app.module.ServerContext;
import io.millrace.app.module.ServerModules;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.core.Ids;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.secret.SecretWork;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunShards;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Modules of a server on its database, for one task of an operator: no port is opened, no run is claimed, no verticle is
 * deployed. An embedded database is started and stopped for the task, so no server may run on the data directory; an external
 * database may be in use.
 */
public final class OfflineServer {
    /** Work of one caller. */
    private static final int POOL_SIZE = 2;

    private final ServerModules modules;

    private OfflineServer(ServerModules modules) {
        this.modules = modules;
    }

    public OperatorAccounts accounts() {
        return modules.people().operatorAccounts();
    }

    public SealingService sealing() {
        return modules.platform().sealing();
    }

    /**
     * Runs the work with the modules and blocks until it completes. Rethrows its failure unchanged.
     *
     * @param beginsEmpty true to create the schema in an empty database; otherwise such a database is refused
     */
    public static <T> T use(
            Config config, InstantSource clock, boolean beginsEmpty, Function<OfflineServer, Future<T>> work) {
        var postgres = config.storage().postgres().isEmbedded()
                ? Optional.of(embedded(config))
                : Optional.<EmbeddedPostgres>empty();
        var vertx = ServerVertx.create();
        try {
            var settings = postgres.map(EmbeddedPostgres::connection)
                    .orElseGet(() -> ExternalPostgres.settings(config.storage().postgres()))
                    .withPool(
                            POOL_SIZE,
                            Duration.ofMillis(config.storage().postgres().idleTimeoutMs()),
                            Server.CONNECT_TIMEOUT)
                    .withStatementTimeout(config.storage().postgres().statementTimeout());
            var database = Database.open(vertx, settings);
            return resultOf(prepared(vertx, database, settings, beginsEmpty)
                    .compose(_ -> modules(vertx, config, database, clock, postgres.isPresent()))
                    .compose(modules -> work.apply(new OfflineServer(modules)).eventually(() -> closed(vertx, modules)))
                    .eventually(database::close)
                    .eventually(vertx::close));
        } finally {
            postgres.ifPresent(EmbeddedPostgres::stop);
        }
    }

    private static EmbeddedPostgres embedded(Config config) {
        return EmbeddedPostgres.start(
                EmbeddedPostgres.Settings.of(config.storage().data()));
    }

    /**
     * Checks the schema but never migrates it: migration is reserved for a start, so that an operator can make a backup
     * before.
     */
    private static Future<Void> prepared(
            Vertx vertx, Database database, DatabaseSettings settings, boolean beginsEmpty) {
        var migrations = Migrations.of(vertx);
        return migrations.state(database).compose(state -> switch (state) {
            case CURRENT -> Future.succeededFuture();
            case EMPTY ->
                beginsEmpty
                        ? migrations.apply(database, settings).mapEmpty()
                        : refused("it has no schema yet: start the server once, or create the first user");
            case OLDER -> refused("its schema is older than this release: start this release of the server once");
        });
    }

    private static <T> Future<T> refused(String reason) {
        return Future.failedFuture(new BadSetting("the database cannot be used: " + reason));
    }

    private static Future<ServerModules> modules(
            Vertx vertx, Config config, Database database, InstantSource clock, boolean isAlone) {
        return OwnSecrets.load(vertx, config, database)
                .compose(own -> isAlone
                        ? Future.succeededFuture(own)
                        : new SecretAgreement(database)
                                .agree(
                                        own,
                                        config.storage()
                                                .data()
                                                .secrets()
                                                .jwtSecret()
                                                .isPresent()))
                .compose(secrets -> vertx.executeBlocking(() -> {
                    var bus = new Bus(vertx);
                    var node = new ServerContext.Node(
                            Ids.next(),
                            new RunShards(config.runs().engine().execution().eventLoops()),
                            isAlone);
                    return new ServerModules(
                            ServerContext.of(
                                    vertx,
                                    new LiveConfig(config),
                                    bus,
                                    database,
                                    new Cluster(bus, isAlone),
                                    node,
                                    config.network().http()::publicUrl,
                                    secrets,
                                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                                    new MeterSet(),
                                    Tracer.OFF,
                                    clock,
                                    UnaryOperator.identity(),
                                    SecretWork.PRODUCTION),
                            List.of());
                }))
                .compose(modules -> modules.platform().sealing().check().map(modules));
    }

    private static Future<Void> closed(Vertx vertx, ServerModules modules) {
        return vertx.executeBlocking(() -> {
            modules.code().runner().close();
            return null;
        });
    }

    /** Blocks the calling thread of a command until the future completes. */
    static <T> T resultOf(Future<T> future) {
        BlockingQueue<Future<T>> done = new LinkedBlockingQueue<>();
        future.onComplete(_ -> done.add(future));
        try {
            var ended = done.take();
            if (ended.failed()) {
                throw ended.cause() instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException(ended.cause());
            }
            return ended.result();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
