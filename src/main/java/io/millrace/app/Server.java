package io.millrace.app;

import io.millrace.account.sealing.SecretAgreement;
import io.millrace.app.module.ServerContext;
import io.millrace.app.module.ServerModules;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.backup.BackupBeforeMigration;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.cluster.ClusterLink;
import io.millrace.base.cluster.ClusterVerticle;
import io.millrace.base.cluster.EventBusLink;
import io.millrace.base.cluster.NodeDescription;
import io.millrace.base.cluster.NotificationLink;
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
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.persistence.WriteInterceptor;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.recovery.RunHousekeeping;
import io.millrace.engine.run.recovery.RunLease;
import io.millrace.engine.run.recovery.RunSweeper;
import io.millrace.engine.run.shard.RunVerticle;
import io.millrace.engine.run.waitpoint.DelayTimer;
import io.millrace.engine.webhook.WebhookVerticle;
import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.Pieces;
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
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: the database, the verticles, and the order in which they start and stop. The database starts first
 * and stops last; intake starts last and stops first.
 */
public final class Server {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** Release of this server. */
    public static final String VERSION = ServerContext.VERSION;

    private static final double MS_PER_SECOND = 1_000;
    private static final int CODE_END_SECONDS = 5;
    private static final long PIECES_MS_MAX = 3_000;
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final LiveConfig live;
    private final Config config;
    private final Monitoring monitoring;
    private final InstantSource clock;
    private final Extensions extensions;
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
            Extensions extensions,
            Consumer<Throwable> onCrash) {
        this.vertx = vertx;
        this.live = live;
        this.config = live.get();
        this.monitoring = monitoring;
        this.shards = new RunShards(config.engine().eventLoops());
        this.clock = clock;
        this.extensions = extensions;
        this.onCrash = onCrash;
        this.bus = bus;
        this.verticles = new Verticles(vertx);
        this.postgres = new ServerPostgres(vertx, config, extensions.postgresOptions());
        this.meters = new MeterSet(config.monitoring().isCounting());
        this.metrics = new ServerRegistry(meters);
        this.limits = SharedLimits.of(live, meters, clock);
        this.measuring = config.monitoring().isCounting()
                ? ServerMeasuring.start(vertx, metrics, meters)
                : ServerMeasuring.none();
        this.telemetry = Telemetry.start(config.openTelemetry(), nodeId);
    }

    /**
     * Optional extensions of a server besides its settings.
     *
     * @param pieces additional pieces
     * @param postgresOptions options of an embedded PostgreSQL, which override those of the server
     * @param writes interceptor of durable writes
     * @param recoveryHaste divisor of the periods of the {@link RunSweeper}: 1, or more in tests that wait for them
     * @param vendorOrigins maps the host of a provider of models to its base address
     */
    public record Extensions(
            List<Piece> pieces,
            List<String> postgresOptions,
            WriteInterceptor writes,
            int recoveryHaste,
            UnaryOperator<String> vendorOrigins) {
        public Extensions {
            pieces = List.copyOf(pieces);
            postgresOptions = List.copyOf(postgresOptions);
        }

        /** Further pieces, and everything else as in production. */
        public static Extensions of(List<Piece> pieces) {
            return of(pieces, List.of(), WriteInterceptor.NONE);
        }

        /** Further pieces, with a database that a test observes. */
        public static Extensions of(List<Piece> pieces, List<String> postgresOptions, WriteInterceptor writes) {
            return new Extensions(pieces, postgresOptions, writes, 1, host -> "https://" + host);
        }

        public Extensions withRecoveryHaste(int changed) {
            return new Extensions(pieces, postgresOptions, writes, changed, vendorOrigins);
        }

        public Extensions withVendorOrigins(UnaryOperator<String> changed) {
            return new Extensions(pieces, postgresOptions, writes, recoveryHaste, changed);
        }
    }

    /** Starts a server with the built-in pieces. */
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
        return start(vertx, config, given, clock, Extensions.of(morePieces), onCrash);
    }

    /** Starts a server with more than its settings. */
    public static Future<Server> start(
            Vertx vertx,
            Config config,
            Optional<DatabaseSettings> given,
            InstantSource clock,
            Extensions extensions,
            Consumer<Throwable> onCrash) {
        var live = new LiveConfig(withPort(config));
        var bus = new Bus(vertx);
        return Monitoring.open(vertx, live)
                .compose(monitoring -> ServerStart.of(
                                vertx,
                                config.postgres().startPatience(),
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
        if (config.http().port() != 0) {
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

    /** The port that is listened on. */
    public int port() {
        return http.port();
    }

    /** The routes that are served, for the check against the API document. */
    public List<Routes.Mounted> routes() {
        return http.routes();
    }

    /** Address under which clients reach the server. */
    public String publicUrl() {
        return config.http().publicUrl();
    }

    /**
     * Applies the settings that may change at runtime.
     *
     * @throws BadSetting when one of them is invalid; then none of them is changed
     */
    public void reload(Config changed) {
        if (guard != null) {
            try {
                guard.allow(changed.outbound().allowList());
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
        var drain = config.shutdown().drain();
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
     * Builds the modules while the schema is migrated: both take a large part of a cold start. Waits for both also if one
     * fails: all started work must end before the stop.
     */
    private Future<ServerModules> open(DatabaseSettings settings, boolean isFirstStart) {
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
                            .agree(own, config.data().jwtSecret().isPresent()))
                    .compose(secrets -> vertx.executeBlocking(() -> modules(secrets), false));
        }
        if (!isFirstStart && OwnSecrets.areMissing(config)) {
            return migrated.compose(_ -> OwnSecrets.load(vertx, config, database))
                    .compose(secrets -> vertx.executeBlocking(() -> modules(secrets), false));
        }
        var modules = vertx.executeBlocking(() -> modules(OwnSecrets.loadNow(config)), false);
        return Future.join(migrated, modules).compose(_ -> modules);
    }

    private ServerModules modules(ServerSecrets secrets) {
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
                extensions.vendorOrigins());
        // Logs the isolation at every start, before any isolated process starts.
        context.isolation().inForce();
        var modules = new ServerModules(context, extensions.pieces());
        code = modules.code().runner();
        guard = context.guard();
        limits.bodies().weighWith(modules.runs().parts().memory()::used);
        return modules;
    }

    /** Verticle of cluster notices; deployed before the first cache is filled. */
    private ClusterVerticle clusterVerticle() {
        var own = database.apart("cluster");
        ClusterLink link = vertx.isClustered()
                ? new EventBusLink(vertx, config.cluster().orElseThrow().password())
                : new NotificationLink(own);
        var description = new NodeDescription(
                NodeDescription.reachable(config.http().host(), config.http().port()),
                VERSION,
                Migrations.newest(),
                config.role().word());
        return new ClusterVerticle(bus, own, nodeId, description, cluster, link, ClusterVocabulary.whole(), onCrash);
    }

    /** An embedded database has no other server. */
    private boolean isAlone() {
        return postgres.isOwn();
    }

    /** Intake, the shard of its runs and the persistence of both share an event loop. */
    private Future<Void> deploy(ServerModules modules) {
        var intake = SharedEventLoop.of(vertx, shards.count());
        var persistence = intake.size() == 1
                ? intake.getFirst()
                : SharedEventLoop.of(vertx, 1).getFirst();
        var oauth = SharedEventLoop.of(vertx, 1).getFirst();
        var ready = modules.platform()
                .sealing()
                .check()
                .compose(_ -> verticles.deploy(new RunLease(
                        database.apart("lease"),
                        nodeId,
                        isAlone(),
                        modules.runs().parts().epochs(),
                        clock)))
                .compose(_ -> verticles.deploy(clusterVerticle()))
                .compose(_ -> cluster.settled())
                .compose(_ -> verticles.deploy(modules.pieces().node()))
                .compose(_ -> verticles.deploy(modules.code().python()))
                .compose(_ -> verticles.deploy(persistence, new PersistenceVerticle(bus, modules.busServices())))
                .compose(_ -> verticles.deploy(oauth, new PersistenceVerticle(bus, modules.oauthServices())))
                .compose(_ -> verticles.deploy(oauth, modules.oauth()))
                .compose(_ ->
                        modules.runs().permitExchange().map(verticles::deploy).orElse(Future.succeededFuture()));
        for (var eventLoop : intake) {
            ready = ready.compose(
                    _ -> verticles.deploy(eventLoop, new PersistenceVerticle(bus, modules.loopServices())));
        }
        for (var shard = 0; shard < shards.count(); shard++) {
            var eventLoop = intake.get(shard);
            var verticle = new RunVerticle(modules.runs().parts(), shard);
            ready = ready.compose(_ -> verticles.deploy(eventLoop, verticle));
        }
        ready = ready.compose(_ -> verticles.deploy(new RunHousekeeping(bus)))
                .compose(_ -> modules.backups()
                        .scheduled(VERSION)
                        .map(verticles::deploy)
                        .orElse(Future.succeededFuture()))
                .compose(_ ->
                        modules.backups().log(VERSION).map(verticles::deploy).orElse(Future.succeededFuture()))
                .onSuccess(_ -> verticles.beginWork())
                .compose(_ -> config.role().takesWork() ? deployWork(modules) : Future.succeededFuture())
                .onSuccess(_ -> verticles.endWork());
        for (var eventLoop : intake) {
            ready = ready.compose(_ -> verticles.deploy(
                    eventLoop,
                    new WebhookVerticle(bus, shards, cluster, this::isDatabaseAway, telemetry.tracer(), clock)));
        }
        return ready.compose(_ -> piecesLoaded())
                .compose(_ -> deployHttp(modules, intake))
                .onSuccess(_ -> open(modules));
    }

    /** Waits for the installed pieces: an earlier request would not find them. A database that is away delays the start briefly. */
    private Future<Nothing> piecesLoaded() {
        return bus.ask(new Pieces.AwaitLoad(), PIECES_MS_MAX).otherwise(Nothing.DONE);
    }

    /** Deploys the verticles that poll the database for work. */
    private Future<Void> deployWork(ServerModules modules) {
        var takeovers = modules.runs().parts().takeovers();
        var ready = verticles
                .deploy(new RunSweeper(
                        bus,
                        shards,
                        takeovers,
                        modules.runs().parts().limiter(),
                        isAlone(),
                        extensions.recoveryHaste()))
                .compose(_ -> verticles.deploy(modules.triggers().verticle()))
                .compose(_ -> verticles.deploy(modules.agents().verticle(modules.pieces())))
                .compose(_ -> verticles.deploy(modules.actions().verticle(modules.pieces())))
                .compose(_ ->
                        verticles.deploy(new DelayTimer(bus, config.engine().pauseMax(), takeovers, clock)));
        for (var worker : modules.workers()) {
            ready = ready.compose(_ -> verticles.deploy(worker));
        }
        return ready;
    }

    /** For longer than the start of a run waits for it. */
    private boolean isDatabaseAway() {
        return database.unavailableMs() > config.postgres().patience().toMillis();
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
        if (config.engine().prewarmed()) {
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
                config.role().takesCalls()
                        ? modules.routeGroups()
                        : modules.platform().routeGroups());
        return groups;
    }

    /** An address that cannot be listened on is the operator's to change. */
    private <T> Future<T> namingTheSetting(Throwable cause) {
        return Future.failedFuture(
                cause instanceof IOException
                        ? new BadSetting("AP_PORT: cannot listen on port "
                                + config.http().port() + " of " + config.http().host() + ": " + cause.getMessage())
                        : cause);
    }
}
