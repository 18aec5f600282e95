package io.millrace.account.platform;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.net.DomainRecords;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Handles {@link Platforms}; modules above use the platform in their own transactions. */
public final class PlatformService implements BusService {
    private final Bus bus;
    private final Database database;
    private final boolean telemetryAtFirst;
    private final InstantSource clock;
    private final DomainRecords domains;
    private final PlatformStore store = new PlatformStore();
    private final UnusedPictures unusedPictures;
    private final PictureStore pictures = new PictureStore();
    private final OwnProviders own;
    private final PlatformConfigurationStore configurations = new PlatformConfigurationStore();

    /**
     * @param domains looks up the TXT records of domains
     * @param telemetryAtFirst initial telemetry setting of a platform (AP_TELEMETRY_ENABLED)
     */
    public PlatformService(
            Bus bus,
            Database database,
            SecretBox box,
            DomainRecords domains,
            UnusedPictures unusedPictures,
            boolean telemetryAtFirst,
            InstantSource clock) {
        this.own = new OwnProviders(store, box);
        this.domains = domains;
        this.unusedPictures = unusedPictures;
        this.bus = bus;
        this.database = database;
        this.telemetryAtFirst = telemetryAtFirst;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Platforms.Find.class, this::find);
        bus.serve(Platforms.Get.class, this::get);
        bus.serve(Platforms.Oldest.class, this::oldest);
        bus.serve(Platforms.Update.class, this::update);
        bus.serve(Platforms.FindPicture.class, this::findPicture);
        bus.serve(Platforms.AllowEmbedding.class, this::allowEmbedding);
        bus.serve(Platforms.VerifyDomain.class, this::verifyDomain);
        bus.serve(Platforms.FindConfiguration.class, this::findConfiguration);
        bus.serve(Platforms.Configure.class, this::configure);
        bus.serve(Platforms.CheckDatabase.class, this::checkDatabase);
    }

    /** Creates a platform with the defaults of the contract. Its owner may be created later in the transaction. */
    public Future<Void> create(Tx tx, String platformId, String ownerId, String name, Instant now) {
        return store.insert(tx, platformId, ownerId, name, now);
    }

    /** The platform of this installation; empty before the first sign-up. */
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

    private Future<Platform> get(Platforms.Get ask) {
        return database.read(tx -> find(tx, ask.platformId()));
    }

    private static Future<String> ownPlatform(Principal by, String platformId) {
        return by.platform().equals(platformId)
                ? Future.succeededFuture(platformId)
                : Future.failedFuture(
                        ApiException.of(ErrorCode.AUTHORIZATION, "You do not have access to this platform"));
    }

    private Future<Platform> update(Platforms.Update ask) {
        var changes = ask.changes();
        return ownPlatform(ask.by(), ask.platformId())
                .compose(id -> change(
                        id,
                        platform -> changes.of(platform, clock.instant()),
                        tx -> own.change(tx, id, changes)
                                .compose(_ -> keepPictures(
                                        tx, id, changes.looks().pictures().all()))));
    }

    /** Stores new images, and removes those that are no longer in use. */
    public Future<Void> keepPictures(Tx tx, String platformId, List<Picture> shown) {
        var kept = Future.<Void>succeededFuture();
        for (var picture : shown) {
            kept = kept.compose(_ -> pictures.insert(tx, platformId, picture, clock.instant()));
        }
        return shown.isEmpty() ? kept : kept.compose(_ -> unusedPictures.remove(tx, platformId));
    }

    public Future<Void> dropUnusedPictures(Tx tx, String platformId) {
        return unusedPictures.remove(tx, platformId);
    }

    private Future<Picture> findPicture(Platforms.FindPicture ask) {
        return database.read(tx -> pictures.find(tx, ask.id()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("picture", ask.id())));
    }

    public Future<Optional<SamlProvider>> samlProvider(Tx tx, String platformId) {
        return own.saml(tx, platformId);
    }

    public Future<Optional<OidcProvider>> oidcProvider(Tx tx, String platformId) {
        return own.oidc(tx, platformId);
    }

    /** No transaction is open during the DNS lookup. */
    private Future<Platform> verifyDomain(Platforms.VerifyDomain ask) {
        return ownPlatform(ask.by(), ask.platformId())
                .compose(id -> database.read(tx -> find(tx, id)))
                .compose(platform -> SsoDomain.proved(platform.signIn(), domains))
                .compose(domain -> change(
                        ask.platformId(),
                        platform -> SsoDomain.verified(platform, domain, clock.instant()),
                        _ -> Future.succeededFuture()))
                .recover(failure -> Future.failedFuture(SsoDomain.takenOr(failure)));
    }

    private Future<List<String>> allowEmbedding(Platforms.AllowEmbedding ask) {
        return change(
                        ask.by().platform(),
                        platform -> {
                            var merged = EmbedOrigins.merged(platform.allowedEmbedOrigins(), ask.origins());
                            return platform.withAllowedEmbedOrigins(merged, clock.instant());
                        },
                        _ -> Future.succeededFuture())
                .map(Platform::allowedEmbedOrigins);
    }

    /** @param more further changes in the same transaction */
    private Future<Platform> change(
            String platformId, UnaryOperator<Platform> change, Function<Tx, Future<Void>> more) {
        return database.inTransaction(tx -> store.findToChange(tx, platformId)
                        .map(found ->
                                change.apply(found.orElseThrow(() -> ApiException.notFound("platform", platformId))))
                        .compose(changed -> store.update(tx, changed)
                                .compose(_ -> more.apply(tx))
                                .map(changed)))
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

    /** Checks for resources too: a database that cannot write may answer reads for a long time. */
    private Future<Nothing> checkDatabase(Platforms.CheckDatabase ask) {
        return database.isShortOfResources()
                ? Future.failedFuture(ApiException.of(
                        ErrorCode.UNAVAILABLE, "the database lacks resources (memory, disk or connections)"))
                : database.read(store::ping).map(Nothing.DONE);
    }
}
