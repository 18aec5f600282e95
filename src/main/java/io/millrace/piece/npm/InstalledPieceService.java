package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceWorld;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.piece.npm.InstalledPiece.PackageType;
import io.millrace.piece.openapi.OpenApiPiece;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.PackageManager;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs packages as pieces, stores their descriptions, and adds them to the catalogue (contract pieces 13). The
 * table is authoritative; a missing folder on this node is restored from the same bytes.
 */
public final class InstalledPieceService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(InstalledPieceService.class);
    private final Vertx vertx;

    private final Database database;
    private final PieceCatalogue catalogue;
    private final PackageFolders folders;
    private final NpmHost host;
    private final NativeCode nativeCode;
    private final OutboundHttp outbound;
    private final boolean installsOnDemand;
    private final InstantSource clock;
    private final InstalledPieceStore store = new InstalledPieceStore();
    private final Map<PackageId, Future<Void>> underWay = new HashMap<>();
    private final RefusedPackages refused;
    private final PackageIntrospection introspection;
    private Bus bus;
    private long changes;

    /** The first read of the installed pieces; it is repeated until it succeeds. */
    private Future<Nothing> loaded = Future.succeededFuture(Nothing.DONE);

    public record Parts(CatalogueRows rows, Packages packages, Calls calls) {}

    public record CatalogueRows(
            Vertx vertx, Database database, PieceCatalogue catalogue, AuditLog auditLog, InstantSource clock) {}

    /**
     * Installation of packages.
     *
     * @param isolation sandbox of the package manager
     * @param directory folder for unpacked packages
     * @param nativePackages names of packages that may load native code, some with the prefix of a platform's id and a
     *     colon
     * @param installsOnDemand true if missing official pieces that a flow pins are installed
     */
    public record Packages(
            PackageManager manager,
            Isolation isolation,
            Path directory,
            Set<String> nativePackages,
            boolean installsOnDemand) {}

    /**
     * Calls of pieces, and requests that pieces make.
     *
     * @param outbound client of pieces from OpenAPI documents
     * @param publicUrl address of this server, which pieces call back
     * @param tokens makes the token by which code that works for a project calls back
     * @param fileBytesMax largest file that a package may return (AP_MAX_FILE_SIZE_MB)
     * @param fences permissions for calls outside a step, requested per call
     */
    public record Calls(
            NodeVerticle node,
            PieceWorld world,
            OutboundHttp outbound,
            Supplier<String> publicUrl,
            UnaryOperator<String> tokens,
            long fileBytesMax,
            Supplier<Fence> fences) {}

    public InstalledPieceService(Parts parts) {
        this.vertx = parts.rows().vertx();
        this.database = parts.rows().database();
        this.catalogue = parts.rows().catalogue();
        var installer = new PackageInstaller(
                parts.packages().manager(),
                parts.packages().isolation(),
                parts.packages().directory());
        this.folders = new PackageFolders(vertx, installer, database, store);
        this.nativeCode =
                new NativeCode(parts.packages().nativePackages(), parts.rows().auditLog());
        this.host = new NpmHost(
                parts.rows().vertx(),
                parts.calls().node(),
                installer,
                parts.calls().world(),
                parts.calls().publicUrl(),
                parts.calls().tokens(),
                parts.calls().fileBytesMax(),
                nativeCode,
                parts.calls().fences());
        this.installsOnDemand = parts.packages().installsOnDemand();
        this.clock = parts.rows().clock();
        this.outbound = parts.calls().outbound();
        this.refused = new RefusedPackages(catalogue, clock);
        this.introspection = new PackageIntrospection(host);
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(Pieces.Install.class, this::install);
        bus.serve(Pieces.AddDescribed.class, this::addDescribed);
        bus.serve(Pieces.Remove.class, this::remove);
        bus.serve(Pieces.Provide.class, this::provide);
        bus.serve(Pieces.Reload.class, _ -> reload());
        bus.serve(Pieces.AwaitLoad.class, _ -> loaded);
        bus.serve(Pieces.Translate.class, this::translate);
        bus.onChange(Pieces.RowsChanged.class, _ -> reload());
        loaded = OutageRetry.ofEveryFailure(pauseMs -> vertx.timer(pauseMs).mapEmpty())
                .perform(OutageRetry.UNLIMITED, () -> false, this::load);
    }

    private Future<Nothing> load() {
        return reload().onFailure(
                        cause -> LOG.warn("cannot read the installed pieces, retrying: {}", cause.getMessage()));
    }

    private Future<Nothing> reload() {
        var changesBefore = changes;
        return database.read(store::all).compose(all -> {
            if (changes != changesBefore) {
                // A concurrent local change may be missing in these rows.
                return reload();
            }
            catalogue.installOnly(all.stream().map(this::pieceOf).toList());
            return bus.publishConfirmed(new Pieces.Changed()).map(Nothing.DONE);
        });
    }

    private Piece pieceOf(InstalledPiece installed) {
        return installed.packageType() == PackageType.OPENAPI
                ? new OpenApiPiece(
                        new OpenApiPiece.Label(
                                installed.id(),
                                installed.created(),
                                installed.updated(),
                                installed.platformId(),
                                installed.packageId().name(),
                                installed.packageId().version()),
                        installed.metadata(),
                        outbound)
                : new NpmPiece(installed, host, () -> folders.restore(installed));
    }

    private Future<ObjectNode> addDescribed(Pieces.AddDescribed ask) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var id = new PackageId(ask.name(), ask.version());
        var piece = new InstalledPiece(
                Ids.next(), now, now, Optional.of(ask.platformId()), id, PackageType.OPENAPI, "", ask.metadata());
        var content = new PackageContent(Optional.of(ask.document()), Optional.empty());
        return stored(piece, Json.object(), content).map(entered -> entered.describe(ask.version()));
    }

    private Piece enter(InstalledPiece installed) {
        var piece = pieceOf(installed);
        catalogue.install(piece);
        changes++;
        return piece;
    }

    private Future<ObjectNode> install(Pieces.Install ask) {
        if (!ask.version().equals(Pieces.LATEST)) {
            return installExactly(ask);
        }
        if (!PackageId.isName(ask.name())) {
            return Future.failedFuture(nameExpected());
        }
        return folders.newest(ask.name())
                .recover(failure -> Future.failedFuture(told(failure)))
                .compose(version ->
                        installExactly(new Pieces.Install(ask.platformId(), ask.name(), version, Optional.empty())));
    }

    private static ApiException nameExpected() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/pieceName expected the name of a package");
    }

    private Future<ObjectNode> installExactly(Pieces.Install ask) {
        var id = new PackageId(ask.name(), ask.version());
        if (!id.isValid()) {
            return Future.failedFuture(nameExpected());
        }
        var source = ask.archive()
                .<PackageSource>map(PackageSource.Archive::new)
                .orElseGet(() -> new PackageSource.Registry(Optional.empty()));
        var platform = Optional.of(ask.platformId());
        return database.read(tx -> store.find(tx, id, platform))
                .compose(known -> known.isPresent()
                        ? Future.failedFuture(duplicate(id))
                        : bring(id, platform, source).recover(failure -> Future.failedFuture(told(failure))))
                .map(piece -> piece.describe(id.version()));
    }

    private static ApiException duplicate(PackageId id) {
        return ApiException.of(ErrorCode.VALIDATION, id + " is installed already");
    }

    /** Error for the administrator: the reason why the package cannot be used as a piece. */
    private static Throwable told(Throwable failure) {
        return failure instanceof BadPackage || failure instanceof PieceFailure || failure instanceof PieceCrash
                ? ApiException.of(ErrorCode.ENGINE_OPERATION_FAILURE, failure.getMessage())
                : failure;
    }

    private Future<Piece> bring(PackageId id, Optional<String> platformId, PackageSource source) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var unnamed = new InstalledPiece(
                Ids.next(),
                now,
                now,
                platformId,
                id,
                source instanceof PackageSource.Archive ? PackageType.ARCHIVE : PackageType.REGISTRY,
                "",
                Json.object());
        var group = unnamed.group();
        return folders.unpack(group, id, source, Optional.empty())
                .compose(unpacked -> introspection
                        .describe(group, id, unpacked.integrity())
                        .compose(metadata -> remember(unnamed, unpacked, metadata, source))
                        .onFailure(_ -> folders.remove(group, id, unpacked.integrity())));
    }

    private Future<Piece> remember(
            InstalledPiece unnamed,
            PackageInstaller.InstalledPackage unpacked,
            ObjectNode metadata,
            PackageSource source) {
        var piece = new InstalledPiece(
                unnamed.id(),
                unnamed.created(),
                unnamed.updated(),
                unnamed.platformId(),
                unnamed.packageId(),
                unnamed.packageType(),
                unpacked.integrity(),
                metadata);
        var archive =
                source instanceof PackageSource.Archive(var content) ? Optional.of(content) : Optional.<Buffer>empty();
        var stored = new PackageContent(archive, unpacked.lock());
        return folders.translations(piece).compose(translations -> stored(piece, translations, stored));
    }

    private Future<Piece> stored(InstalledPiece piece, ObjectNode translations, PackageContent content) {
        return database.inTransaction(tx -> store.insert(tx, piece, translations, content)
                        .compose(kept -> nativeCode.told(tx, kept).map(kept)))
                .recover(failure -> failure instanceof ConstraintViolation
                        ? Future.failedFuture(duplicate(piece.packageId()))
                        : Future.failedFuture(failure))
                .map(kept -> {
                    LOG.info("installed {}", kept.packageId());
                    var entered = enter(kept);
                    bus.publish(new Pieces.Changed());
                    return entered;
                });
    }

    /** Never fails. */
    private Future<Nothing> provide(Pieces.Provide ask) {
        var id = new PackageId(ask.name(), ask.version());
        return loaded.otherwiseEmpty()
                .compose(_ -> catalogue.has(ask.scope(), id.name(), id.version()) || !id.isValid()
                        ? Future.<Void>succeededFuture()
                        : find(id, ask.scope()))
                .otherwiseEmpty()
                .map(Nothing.DONE);
    }

    /** Another node may have installed it; otherwise it is fetched once for all concurrent callers. */
    private Future<Void> find(PackageId id, PieceScope scope) {
        return database.read(tx -> store.findWithin(tx, id, scope)).compose(known -> {
            known.forEach(this::enter);
            return known.isEmpty() && installsOnDemand && id.isOfficial() && !refused.contains(id)
                    ? underWay.computeIfAbsent(id, this::fetch)
                    : Future.succeededFuture();
        });
    }

    private Future<Void> fetch(PackageId id) {
        return bring(id, Optional.empty(), new PackageSource.Registry(Optional.empty()))
                .onFailure(cause -> refuse(id, cause))
                .onComplete(_ -> underWay.remove(id))
                .mapEmpty();
    }

    private void refuse(PackageId id, Throwable cause) {
        LOG.warn("cannot install {}: {}", id, cause.getMessage());
        refused.add(id);
    }

    private Future<Nothing> remove(Pieces.Remove ask) {
        return database.read(tx -> store.delete(tx, ask.id(), ask.platformId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("piece_metadata", ask.id())))
                .map(piece -> {
                    var id = piece.packageId();
                    catalogue.remove(PieceScope.of(ask.platformId()), id.name(), id.version());
                    changes++;
                    bus.publish(new Pieces.Changed());
                    return piece;
                })
                .compose(piece -> piece.packageType() == PackageType.OPENAPI
                        ? Future.succeededFuture(Nothing.DONE)
                        : folders.remove(piece.group(), piece.packageId(), piece.integrity()));
    }

    private Future<List<ObjectNode>> translate(Pieces.Translate ask) {
        var ids = ask.descriptions().stream().map(InstalledPieceService::idOf).toList();
        return database.read(tx -> store.translations(tx, ids, ask.locale())).map(texts -> {
            ask.descriptions().stream()
                    .filter(description -> texts.containsKey(idOf(description)))
                    .forEach(description -> Translations.apply(description, texts.get(idOf(description))));
            return ask.descriptions();
        });
    }

    private static String idOf(ObjectNode description) {
        return description.path("id").asText();
    }
}
