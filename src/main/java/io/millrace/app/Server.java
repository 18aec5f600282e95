package io.millrace.app;

import io.millrace.account.sealing.SecretAgreement;
import io.millrace.app.module.ServerContext;
import io.millrace.app.module.ServerModules;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.backup.BackupBeforeMigration;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.core.Ids;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.server.HttpVerticle;
import io.millrace.base.http.server.SharedLimits;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.metrics.ServerRegistry;
import io.millrace.base.monitoring.HealthRoutes;
import io.millrace.base.monitoring.MetricsRoutes;
import io.millrace.base.monitoring.Readiness;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.FreePort;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.piece.Piece;
import io.millrace.sandbox.code.pool.CodeRunner;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: the start and stop of its database, verticles and HTTP. The database starts first and stops last; HTTP starts
 * last and stops first.
 */
public final class Server {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    public static final String VERSION = ServerContext.VERSION;

    private static final double MS_PER_SECOND = 1_000;
    private static final int CODE_END_SECONDS = 5;
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final LiveConfig live;
    private final Config config;
    private final Monitoring monitoring;
    private final InstantSource clock;
    private final ServerExtensions extensions;
    private final Consumer<Throwable> onCrash;
    private final Verticles verticles;
    private final ServerPostgres postgres;

    private final String nodeId = Ids.next();
    private final RunShards shards;
    private final Bus bus;
    private final SharedLimits limits;
    private final MeterSet meters;
    private final ServerRegistry metrics;
    private final ServerMeasuring measuring;
    private final Telemetry telemetry;
    private Database database;
    private Cluster cluster;
    private HttpVerticle http;
    private CodeRunner code;
    private volatile AddressGuard guard;

    private Server(
            Vertx vertx,
            Bus bus,
            LiveConfig live,
            Monitoring monitoring,
            InstantSource clock,
            ServerExtensions extensions,
            Consumer<Throwable> onCrash) {
        this.vertx = vertx;
        this.live = live;
        this.config = live.get();
        this.monitoring = monitoring;
        this.shards = new RunShards(config.runs().engine().execution().eventLoops());
        this.clock = clock;
        this.extensions = extensions;
        this.onCrash = onCrash;
        this.bus = bus;
        this.verticles = new Verticles(vertx);
        this.postgres = new ServerPostgres(vertx, config, extensions.postgresOptions());
        this.meters = new MeterSet(config.observation().monitoring().isCounting());
        this.metrics = new ServerRegistry(meters);
        this.limits = SharedLimits.of(live, meters, clock);
        this.measuring = config.observation().monitoring().isCounting()
                ? ServerMeasuring.start(vertx, metrics, meters)
                : ServerMeasuring.none();
        this.telemetry = Telemetry.start(config.observation().openTelemetry(), nodeId);
    }

    public static Future<Server> start(
            Vertx vertx,
            Config config,
            Optional<DatabaseSettings> given,
            InstantSource clock,
            Consumer<Throwable> onCrash) {
        return start(vertx, config, given, clock, List.of(), onCrash);
    }

    /**
     * Starts a server.
     *
     * @param given database to use instead of the one that the settings name
     * @param morePieces pieces in addition to the built-in ones
     * @param onCrash receives the cause when an essential part of the server dies
     */
    public static Future<Server> start(
            Vertx vertx,
            Config config,
            Optional<DatabaseSettings> given,
            InstantSource clock,
            List<Piece> morePieces,
            Consumer<Throwable> onCrash) {
        return start(vertx, config, given, clock, ServerExtensions.of(morePieces), onCrash);
    }

    public static Future<Server> start(
            Vertx vertx,
            Config config,
            Optional<DatabaseSettings> given,
            InstantSource clock,
            ServerExtensions extensions,
            Consumer<Throwable> onCrash) {
        var live = new LiveConfig(withPort(config));
        var bus = new Bus(vertx);
        return Monitoring.open(vertx, live)
                .compose(monitoring -> ServerStart.of(
                                vertx,
                                config.storage().postgres().startPatience(),
                                () -> attempt(
                                        new Server(vertx, bus, live, monitoring, clock, extensions, onCrash), given))
                        .recover(failure -> monitoring.close().transform(_ -> Future.failedFuture(failure))));
    }

    private static Future<Server> attempt(Server server, Optional<DatabaseSettings> given) {
        server.vertx.exceptionHandler(server::escaped);
        return server.start(given)
                .map(server)
                .recover(cause -> server.stopParts().transform(_ -> Future.failedFuture(cause)));
    }

    /**
     * Replaces port 0 by a free port before the start: runs taken over at the start may need the address before the server
     * listens.
     */
    private static Config withPort(Config config) {
        if (config.network().http().port() != 0) {
            return config;
        }
        return config.withPort(FreePort.find().orElseThrow(() -> new BadSetting("AP_PORT: no free port was found")));
    }

    /**
     * Handles an uncaught failure of an event loop. An exception ends only the task that it interrupted; after an error
     * (exhausted memory, a class that cannot be loaded) the state of the verticle is not reliable.
     */
    private void escaped(Throwable thrown) {
        if (thrown instanceof Error) {
            onCrash.accept(thrown);
        } else {
            LOG.error("uncaught exception on an event loop", thrown);
        }
    }

    public int port() {
        return http.port();
    }

    /** The routes that are served, for the check against the API document. */
    public List<Routes.MountedRoute> routes() {
        return http.routes();
    }

    public String publicUrl() {
        return config.network().http().publicUrl();
    }

    /**
     * Applies the settings that may change at runtime.
     *
     * @throws BadSetting when one of them is invalid; then none of them is changed
     */
    public void reload(Config changed) {
        if (guard != null) {
            try {
                guard.allow(changed.network().outbound().allowList());
            } catch (IllegalArgumentException malformed) {
                throw new BadSetting(malformed.getMessage());
            }
        }
        live.set(changed);
    }

    /**
     * Reports not ready and leaves work to other nodes, still answers calls that arrive, then stops intake, lets running steps
     * finish, and stops the database last.
     */
    public Future<Void> stop() {
        monitoring.readiness().stopping();
        bus.publish(new Readiness.Stopping());
        return Future.join(verticles.stopWork(), drained())
                .<Void>mapEmpty()
                .eventually(this::stopParts)
                .eventually(monitoring::close);
    }

    /** Waits until load balancers have noticed that the node is not ready. */
    private Future<Void> drained() {
        var drain = config.process().shutdown().drain();
        return drain.isZero()
                ? Future.succeededFuture()
                : vertx.timer(drain.toMillis()).mapEmpty();
    }

    private Future<Void> stopParts() {
        return verticles
                .stop()
                .eventually(this::closeCode)
                .eventually(() -> database == null ? Future.succeededFuture() : database.close())
                .eventually(postgres::stop)
                .onComplete(_ -> measuring.stop())
                .eventually(() -> telemetry.stop(vertx))
                // The event loops may outlive this server: they are not to keep it.
                .onComplete(_ -> vertx.exceptionHandler(null));
    }

    /** Closes worker processes; their calls complete on event loops, which must still run. */
    private Future<Void> closeCode() {
        return code == null
                ? Future.succeededFuture()
                : vertx.executeBlocking(code::close)
                        .compose(ended -> ended)
                        .timeout(CODE_END_SECONDS, TimeUnit.SECONDS);
    }

    private Future<Void> start(Optional<DatabaseSettings> given) {
        var isFirstStart = given.isEmpty() && !postgres.exists();
        return given.map(Future::succeededFuture)
                .orElseGet(postgres::start)
                .compose(settings -> open(settings, isFirstStart))
                .compose(this::deploy);
    }

    /**
     * Builds the modules during the migration of the schema: both take a large part of a cold start. Waits for both even if
     * one fails: all started work must end before the stop.
     */
    private Future<ServerDeployment> open(DatabaseSettings settings, boolean isFirstStart) {
        database = Database.open(vertx, settings, extensions.writes());
        meters.gauge(ServerMeter.DATABASE_UNAVAILABLE, () -> database.unavailableMs() / MS_PER_SECOND);
        cluster = new Cluster(bus, isAlone());
        var backup = new BackupBeforeMigration(config, VERSION, clock);
        var migrated = Migrations.of(vertx)
                .apply(database, settings, beforeMigration -> {
                    monitoring.readiness().migrating();
                    backup.take(beforeMigration);
                })
                .onComplete(_ -> monitoring.readiness().starting())
                .recover(failure -> postgres.explained(settings, failure).compose(Future::failedFuture));
        if (!isAlone()) {
            return migrated.compose(_ -> OwnSecrets.load(vertx, config, database))
                    .compose(own -> new SecretAgreement(database)
                            .agree(
                                    own,
                                    config.storage()
                                            .data()
                                            .secrets()
                                            .jwtSecret()
                                            .isPresent()))
                    .compose(secrets -> vertx.executeBlocking(() -> prepare(secrets), false));
        }
        if (!isFirstStart && OwnSecrets.areMissing(config)) {
            return migrated.compose(_ -> OwnSecrets.load(vertx, config, database))
                    .compose(secrets -> vertx.executeBlocking(() -> prepare(secrets), false));
        }
        var prepared = vertx.executeBlocking(() -> prepare(OwnSecrets.loadNow(config)), false);
        return Future.join(migrated, prepared).compose(_ -> prepared);
    }

    private ServerDeployment prepare(ServerSecrets secrets) {
        var node = new ServerContext.Node(nodeId, shards, isAlone());
        var context = ServerContext.of(
                vertx,
                live,
                bus,
                database,
                cluster,
                node,
                this::publicUrl,
                secrets,
                metrics,
                meters,
                telemetry.tracer(),
                clock,
                extensions.vendorOrigins(),
                extensions.secretWork());
        // Logs the isolation at every start, before any isolated process starts.
        context.sandbox().isolation().inForce();
        var modules = new ServerModules(context, extensions.pieces());
        code = modules.code().runner();
        guard = context.network().guard();
        limits.bodies().weighWith(modules.runs().parts().capacity().memory()::used);
        return new ServerDeployment(context, modules, verticles, this::isDatabaseAway, onCrash);
    }

    /** An embedded database has no other server. */
    private boolean isAlone() {
        return postgres.isOwn();
    }

    private Future<Void> deploy(ServerDeployment deployment) {
        return deployment
                .start(extensions.recoveryHaste())
                .compose(_ -> deployHttp(deployment.modules(), deployment.intake()))
                .onSuccess(_ -> open(deployment.modules()));
    }

    /** For longer than the start of a run waits for it. */
    private boolean isDatabaseAway() {
        return database.unavailableMs() > config.storage().postgres().patience().toMillis();
    }

    private void open(ServerModules modules) {
        monitoring.running(
                metrics,
                modules.runs()::measured,
                ReadinessChecks.of(vertx, bus, database, this::isDatabaseAway, live));
        expectFlows();
        modules.code().expectCode();
    }

    /** Announces that intake is open; the server does not wait for the receivers. */
    private void expectFlows() {
        bus.publish(new Runs.IntakeOpened());
        if (config.runs().engine().publishing().prewarmed()) {
            bus.publish(new Flows.Expected());
        }
    }

    /** Intake starts last; all instances share one port. */
    private Future<Void> deployHttp(ServerModules modules, List<SharedEventLoop> eventLoops) {
        var listening = new ArrayList<Future<Void>>();
        for (var eventLoop : eventLoops) {
            http = new HttpVerticle(config, bus, routeGroups(modules), limits, cluster::settled);
            listening.add(verticles.deploy(eventLoop, http));
        }
        return Future.join(listening).<Void>mapEmpty().recover(this::namingTheSetting);
    }

    /** A node that only works answers probes and administrators. */
    private List<RouteGroup> routeGroups(ServerModules modules) {
        var groups = new ArrayList<RouteGroup>(
                List.of(new HealthRoutes(monitoring.readiness()), new MetricsRoutes(monitoring.metrics())));
        groups.addAll(
                config.process().role().takesCalls()
                        ? modules.routeGroups()
                        : modules.platform().routeGroups());
        return groups;
    }

    /** An address that cannot be listened on is the operator's to change. */
    private <T> Future<T> namingTheSetting(Throwable cause) {
        return Future.failedFuture(
                cause instanceof IOException
                        ? new BadSetting("AP_PORT: cannot listen on port "
                                + config.network().http().port() + " of "
                                + config.network().http().host() + ": " + cause.getMessage())
                        : cause);
    }
}
