package io.millrace;

import io.millrace.bus.Bus;
import io.millrace.code.CodeRunner;
import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.core.Ids;
import io.millrace.flow.Flows;
import io.millrace.http.HttpVerticle;
import io.millrace.http.Routes;
import io.millrace.persistence.Database;
import io.millrace.persistence.DatabaseSettings;
import io.millrace.persistence.EmbeddedPostgres;
import io.millrace.persistence.Faults;
import io.millrace.persistence.Migrations;
import io.millrace.persistence.PersistenceVerticle;
import io.millrace.piece.Piece;
import io.millrace.run.DelayTimer;
import io.millrace.run.RunLease;
import io.millrace.run.RunShards;
import io.millrace.run.RunSweeper;
import io.millrace.run.RunVerticle;
import io.millrace.secret.ServerSecrets;
import io.millrace.webhook.WebhookVerticle;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: the database, the verticles, and the order in which they start and stop. The database starts first
 * and stops last; intake starts last and stops first.
 */
public final class Server {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** Release of this server. */
    public static final String VERSION = "0.1.0";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final Config config;
    private final InstantSource clock;
    private final List<Piece> morePieces;
    private final Consumer<Throwable> onCrash;
    /** What stops the verticles, in the order in which they were started. */
    private final List<Supplier<Future<Void>>> stops = new ArrayList<>();

    private final String nodeId = Ids.next();
    private final RunShards shards;
    private final Bus bus;
    private EmbeddedPostgres postgres;
    private Database database;
    private HttpVerticle http;
    private CodeRunner code;

    private Server(
            Vertx vertx, Config config, InstantSource clock, List<Piece> morePieces, Consumer<Throwable> onCrash) {
        this.vertx = vertx;
        this.config = config;
        this.shards = new RunShards(config.engine().eventLoops());
        this.clock = clock;
        this.morePieces = List.copyOf(morePieces);
        this.onCrash = onCrash;
        this.bus = new Bus(vertx);
    }

    /** Starts a server with the pieces that come with it. */
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
     * @param morePieces pieces besides those that come with the server
     * @param onCrash told when a part dies that the server cannot live without
     */
    public static Future<Server> start(
            Vertx vertx,
            Config config,
            Optional<DatabaseSettings> given,
            InstantSource clock,
            List<Piece> morePieces,
            Consumer<Throwable> onCrash) {
        var server = new Server(vertx, withPort(config), clock, morePieces, onCrash);
        vertx.exceptionHandler(server::escaped);
        return server.start(given)
                .map(server)
                .recover(cause -> server.stop().transform(_ -> Future.failedFuture(cause)));
    }

    /** What is taken over at the start may ask for the address long before anybody listens there. */
    private static Config withPort(Config config) {
        if (config.http().port() != 0) {
            return config;
        }
        try (var free = new ServerSocket(0)) {
            return config.withPort(free.getLocalPort());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * What nobody caught on an event loop. An exception ends the one piece of work it struck; after an error (memory
     * exhausted, a class that cannot be loaded) nothing that the verticle holds can be trusted.
     */
    private void escaped(Throwable thrown) {
        if (thrown instanceof Error) {
            onCrash.accept(thrown);
        } else {
            LOG.error("an exception reached the event loop", thrown);
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

    /** Stops intake, lets running steps finish, and stops the database last. */
    public Future<Void> stop() {
        var stopped = Future.<Void>succeededFuture();
        for (var stop : stops.reversed()) {
            stopped = stopped.eventually(stop);
        }
        return stopped.eventually(this::closeCode)
                .eventually(() -> database == null ? Future.succeededFuture() : database.close())
                .eventually(() -> vertx.executeBlocking(() -> {
                    if (postgres != null) {
                        postgres.stop();
                    }
                    return null;
                }));
    }

    /** Ending worker processes may take a moment. */
    private Future<Void> closeCode() {
        return vertx.executeBlocking(() -> {
            if (code != null) {
                code.close();
            }
            return null;
        });
    }

    private Future<Void> start(Optional<DatabaseSettings> given) {
        return vertx.executeBlocking(() -> given.orElseGet(this::databaseSettings), false)
                .compose(this::open)
                .compose(this::deploy);
    }

    /**
     * The rooms are built while the schema is looked at, because each of the two is a good part of a cold start. Both
     * are waited for when one fails: what has begun must have ended before anything is stopped.
     */
    private Future<Rooms> open(DatabaseSettings settings) {
        database = Database.open(vertx, settings);
        var migrated = Migrations.of(vertx).apply(database, settings);
        var rooms = vertx.executeBlocking(this::rooms, false);
        return Future.join(migrated, rooms).compose(_ -> rooms);
    }

    private DatabaseSettings databaseSettings() {
        var settings = config.postgres();
        if (settings.isEmbedded()) {
            var wanted = EmbeddedPostgres.Settings.of(config.data().directory());
            postgres = EmbeddedPostgres.start(wanted.withDurability(Faults.durability()));
            return pooled(postgres.connection());
        }
        try {
            return pooled(settings.url().map(DatabaseSettings::parse).orElseGet(() -> external(settings)));
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting("AP_POSTGRES_URL: " + malformed.getMessage());
        }
    }

    private static DatabaseSettings external(Config.Postgres settings) {
        var plain = DatabaseSettings.of(
                settings.host().orElseThrow(),
                settings.port(),
                settings.database(),
                settings.user(),
                settings.password());
        return settings.encrypted()
                ? plain.withEncryption(DatabaseSettings.Encryption.REQUIRE, settings.caCertificate())
                : plain;
    }

    private DatabaseSettings pooled(DatabaseSettings settings) {
        return settings.withPool(
                config.postgres().poolSize(),
                Duration.ofMillis(config.postgres().idleTimeoutMs()),
                CONNECT_TIMEOUT);
    }

    private Rooms rooms() {
        var data = config.data();
        var secrets = ServerSecrets.load(
                data.directory(), data.encryptionKey(), data.knownEncryptionKeys(), data.jwtSecret());
        var node = new Ground.Node(nodeId, shards, isAlone());
        var ground = Ground.of(vertx, config, bus, database, node, this::publicUrl, secrets, clock);
        var rooms = new Rooms(ground, morePieces);
        code = rooms.runs().code();
        return rooms;
    }

    /** An embedded database has no other server. */
    private boolean isAlone() {
        return postgres != null;
    }

    /** Intake and the shard that its runs go to share a lane, and a single one has persistence on it, too. */
    private Future<Void> deploy(Rooms rooms) {
        var intake = Lane.of(vertx, shards.count());
        var persistence =
                intake.size() == 1 ? intake.getFirst() : Lane.of(vertx, 1).getFirst();
        var ready = rooms.platform()
                .sealing()
                .check()
                .compose(_ -> deploy(rooms.pieces().node()))
                .compose(_ -> deploy(persistence, new PersistenceVerticle(bus, rooms.desks())))
                .compose(_ -> deploy(new RunLease(database, nodeId)));
        for (var shard = 0; shard < shards.count(); shard++) {
            var lane = intake.get(shard);
            var verticle = new RunVerticle(rooms.runs().parts(), shard);
            ready = ready.compose(_ -> deploy(lane, verticle));
        }
        ready = ready.compose(_ -> deploy(new RunSweeper(
                        database,
                        bus,
                        shards,
                        nodeId,
                        isAlone(),
                        config.data().retentionDays(),
                        rooms.runs().parts().terms(),
                        clock)))
                .compose(_ -> deploy(rooms.triggers().verticle()))
                .compose(_ -> deploy(new DelayTimer(bus, config.engine().pauseMax(), clock)));
        for (var courier : rooms.couriers()) {
            ready = ready.compose(_ -> deploy(courier));
        }
        for (var lane : intake) {
            ready = ready.compose(_ -> deploy(lane, new WebhookVerticle(bus, shards, clock)));
        }
        return ready.compose(_ -> deployHttp(rooms, intake)).onSuccess(_ -> expectFlows());
    }

    /** Nobody waits for it: the server serves meanwhile. */
    private void expectFlows() {
        if (config.engine().prewarmed()) {
            bus.publish(new Flows.Expected());
        }
    }

    /** Intake starts last; all instances share one port. */
    private Future<Void> deployHttp(Rooms rooms, List<Lane> lanes) {
        var listening = new ArrayList<Future<Void>>();
        for (var lane : lanes) {
            http = new HttpVerticle(config, bus, rooms.modules());
            listening.add(deploy(lane, http));
        }
        return Future.join(listening).<Void>mapEmpty().recover(this::namingTheSetting);
    }

    /** An address that cannot be listened on is the operator's to change. */
    private <T> Future<T> namingTheSetting(Throwable cause) {
        return Future.failedFuture(
                cause instanceof IOException
                        ? new BadSetting("AP_PORT: cannot listen on port "
                                + config.http().port() + " of " + config.http().host() + ": " + cause.getMessage())
                        : cause);
    }

    private Future<Void> deploy(Deployable verticle) {
        return vertx.deployVerticle(verticle, new DeploymentOptions()).map(deployment -> {
            stops.add(() -> vertx.undeploy(deployment));
            return null;
        });
    }

    private Future<Void> deploy(Lane lane, Deployable verticle) {
        return lane.deploy(verticle).map(stop -> {
            stops.add(stop);
            return null;
        });
    }
}
