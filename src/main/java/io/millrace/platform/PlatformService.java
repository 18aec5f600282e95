package io.millrace.platform;

import io.millrace.access.Principal;
import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Answers {@link Platforms}; lends its store to rooms above that work on a platform in their own transaction. */
public final class PlatformService implements Desk {
    private final Bus bus;
    private final Database database;
    private final boolean telemetryAtFirst;
    private final InstantSource clock;
    private final PlatformStore store = new PlatformStore();
    private final PlatformConfigurationStore configurations = new PlatformConfigurationStore();

    /**
     * @param telemetryAtFirst what a platform's telemetry setting says until it is changed (AP_TELEMETRY_ENABLED)
     */
    public PlatformService(Bus bus, Database database, boolean telemetryAtFirst, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.telemetryAtFirst = telemetryAtFirst;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Platforms.Find.class, this::find);
        bus.serve(Platforms.Oldest.class, this::oldest);
        bus.serve(Platforms.Update.class, this::update);
        bus.serve(Platforms.AllowEmbedding.class, this::allowEmbedding);
        bus.serve(Platforms.FindConfiguration.class, this::findConfiguration);
        bus.serve(Platforms.Configure.class, this::configure);
        bus.serve(Platforms.CheckDatabase.class, this::checkDatabase);
    }

    /** Creates a platform with the defaults of the contract. Its owner may be created later in the transaction. */
    public Future<Void> create(Tx tx, String platformId, String ownerId, String name, Instant now) {
        return store.insert(tx, platformId, ownerId, name, now);
    }

    /** The platform that this installation serves, if anybody has signed up yet. */
    public Future<Optional<Platform>> oldest(Tx tx) {
        return store.findOldest(tx);
    }

    /** The platform, which must exist. */
    public Future<Platform> find(Tx tx, String platformId) {
        return store.find(tx, platformId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("platform", platformId)));
    }

    private Future<Platform> find(Platforms.Find ask) {
        return ownPlatform(ask.by(), ask.platformId()).compose(id -> database.read(tx -> find(tx, id)));
    }

    private static Future<String> ownPlatform(Principal by, String platformId) {
        return by.platform().equals(platformId)
                ? Future.succeededFuture(platformId)
                : Future.failedFuture(
                        ApiException.of(ErrorCode.AUTHORIZATION, "You do not have access to this platform"));
    }

    private Future<Platform> update(Platforms.Update ask) {
        return ownPlatform(ask.by(), ask.platformId())
                .compose(id -> change(id, platform -> ask.changes().of(platform, clock.instant())));
    }

    private Future<List<String>> allowEmbedding(Platforms.AllowEmbedding ask) {
        return change(ask.by().platform(), platform -> {
                    var merged = EmbedOrigins.merged(platform.allowedEmbedOrigins(), ask.origins());
                    return platform.withAllowedEmbedOrigins(merged, clock.instant());
                })
                .map(Platform::allowedEmbedOrigins);
    }

    private Future<Platform> change(String platformId, UnaryOperator<Platform> change) {
        return database.inTransaction(tx -> store.findToChange(tx, platformId)
                        .map(found ->
                                change.apply(found.orElseThrow(() -> ApiException.notFound("platform", platformId))))
                        .compose(changed -> store.update(tx, changed).map(changed)))
                .onSuccess(_ -> bus.publish(new Platforms.Changed(platformId)));
    }

    private Future<PlatformConfiguration> findConfiguration(Platforms.FindConfiguration ask) {
        return database.inTransaction(tx -> configurations.findOrInsert(tx, firstConfiguration(ask.by())));
    }

    private Future<PlatformConfiguration> configure(Platforms.Configure ask) {
        return database.inTransaction(tx -> configurations
                .findOrInsert(tx, firstConfiguration(ask.by()))
                .map(present -> present.changed(ask.productTelemetry(), ask.infraSetupTelemetry(), clock.instant()))
                .compose(changed -> configurations.update(tx, changed).map(changed)));
    }

    private PlatformConfiguration firstConfiguration(Principal by) {
        var now = clock.instant();
        return new PlatformConfiguration(Ids.next(), now, now, by.platform(), telemetryAtFirst, true);
    }

    private Future<Optional<Platform>> oldest(Platforms.Oldest ask) {
        return database.read(store::findOldest);
    }

    private Future<Nothing> checkDatabase(Platforms.CheckDatabase ask) {
        return database.read(store::ping).map(Nothing.DONE);
    }
}
