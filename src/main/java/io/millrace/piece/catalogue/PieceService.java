package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.property.PropertyType;
import io.millrace.piece.tag.Tags;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers queries of the catalogue. Packages of a platform are visible to its own users only. */
public final class PieceService implements BusService {
    private static final long EXTRAS_MS_MAX = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(PieceService.class);

    private final PieceCatalogue catalogue;
    private final PieceChoices choices;
    private final InstallablePieces installable;
    private final PieceListing listing;
    private PieceProvision provision;
    private Bus bus;

    public PieceService(PieceCatalogue catalogue) {
        this(catalogue, PieceChoices.all(), InstallablePieces.none(), PieceUse.none());
    }

    public PieceService(PieceCatalogue catalogue, PieceChoices choices, InstallablePieces installable, PieceUse use) {
        this.catalogue = catalogue;
        this.choices = choices;
        this.installable = installable;
        this.listing = new PieceListing(catalogue, installable, use);
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        provision = new PieceProvision(catalogue, installable, bus);
        bus.serve(Pieces.Find.class, this::find);
        bus.serve(Pieces.FindRegistered.class, this::findRegistered);
        bus.serve(Pieces.Get.class, this::get);
        bus.serve(Pieces.FindVersions.class, this::findVersions);
        bus.serve(Pieces.Compare.class, this::compare);
        bus.serve(Pieces.FindOptions.class, this::findOptions);
        bus.serve(Pieces.FindAuth.class, this::findAuth);
        bus.serve(Pieces.Validate.class, this::validate);
        bus.serve(Pieces.IssueToken.class, this::issueToken);
    }

    private Future<ArrayNode> find(Pieces.Find find) {
        var extras = find.extras();
        return choices.offered(find.scope().platformId(), find.projectId(), extras.hiddenToo())
                .compose(offered -> listing.find(find.query(), find.scope(), offered, extras.installableToo()))
                .compose(found -> extras.tags() ? tagged(find.scope(), found) : Future.succeededFuture(found))
                .compose(found -> extras.locale()
                        .map(locale -> translated(locale, found.deepCopy()))
                        .orElseGet(() -> Future.succeededFuture(found)));
    }

    private Future<ArrayNode> translated(String locale, ArrayNode summaries) {
        return translated(locale, descriptions(summaries)).map(summaries);
    }

    private Future<ArrayNode> tagged(PieceScope scope, ArrayNode summaries) {
        return scope.platformId()
                .map(platformId -> bus.ask(new Tags.OfPieces(platformId), EXTRAS_MS_MAX))
                .orElseGet(() -> Future.succeededFuture(Map.of()))
                .map(tags -> {
                    for (var summary : descriptions(summaries)) {
                        var names = summary.putArray("tags");
                        tags.getOrDefault(summary.path("name").asText(), List.of())
                                .forEach(names::add);
                    }
                    return summaries;
                });
    }

    private static List<ObjectNode> descriptions(ArrayNode summaries) {
        return summaries.valueStream().map(ObjectNode.class::cast).toList();
    }

    private Future<List<ObjectNode>> translated(String locale, List<ObjectNode> descriptions) {
        return bus.ask(new Pieces.Translate(locale, descriptions), EXTRAS_MS_MAX);
    }

    private Future<ArrayNode> findRegistered(Pieces.FindRegistered find) {
        return listing.registered(find.scope());
    }

    private Future<ObjectNode> get(Pieces.Get get) {
        return known(get.scope(), get.name(), get.version())
                .map(Future::succeededFuture)
                .orElseGet(() -> elsewhere(get))
                .compose(description -> get.locale()
                        .map(locale -> translated(locale, List.of(description)).map(List::getFirst))
                        .orElseGet(() -> Future.succeededFuture(description)));
    }

    private Optional<ObjectNode> known(PieceScope scope, String name, Optional<String> wanted) {
        return catalogue
                .resolve(scope, name, wanted.orElse(null))
                .flatMap(version -> catalogue
                        .find(scope, name, version)
                        .map(piece -> piece.describe(version).put("installed", true)));
    }

    /** Answers from the index if it suffices; otherwise installs the package. */
    private Future<ObjectNode> elsewhere(Pieces.Get get) {
        return provision
                .details(get.name(), get.version())
                .compose(known -> known.map(Future::succeededFuture)
                        .orElseGet(() -> provision
                                .provide(get.scope(), get.name(), get.version())
                                .map(_ -> known(get.scope(), get.name(), get.version())
                                        .orElseThrow(() -> unknown(
                                                get.name(), get.version().orElse(null))))));
    }

    private Future<List<String>> findVersions(Pieces.FindVersions find) {
        return provision.versions(find.scope(), find.name()).map(versions -> {
            if (versions.isEmpty()) {
                throw unknown(find.name(), null);
            }
            return versions;
        });
    }

    private Future<PieceChanges> compare(Pieces.Compare ask) {
        return exactly(ask.scope(), ask.name(), ask.from())
                .compose(from -> exactly(ask.scope(), ask.name(), ask.to()).map(to -> PieceChanges.between(from, to)));
    }

    private Future<ObjectNode> exactly(PieceScope scope, String name, String version) {
        return get(new Pieces.Get(scope, name, Optional.of(version), Optional.empty()))
                .map(found -> {
                    if (!found.path("version").asText().equals(version) || !isListed(scope, name, found)) {
                        throw unknown(name, version);
                    }
                    return found;
                });
    }

    private boolean isListed(PieceScope scope, String name, ObjectNode found) {
        return !found.path("installed").asBoolean()
                || catalogue
                        .versions(scope, name)
                        .contains(found.path("version").asText());
    }

    private Future<ObjectNode> findOptions(Pieces.FindOptions find) {
        return provision
                .provide(find.scope(), find.name(), Optional.of(find.version()))
                .compose(_ -> pieceOf(find.scope(), find.name(), find.version()).options(find.question()));
    }

    private Future<Pieces.Auth> findAuth(Pieces.FindAuth find) {
        return provision.provide(find.scope(), find.name(), find.version()).map(_ -> {
            var version = resolved(find.scope(), find.name(), find.version());
            var auth = pieceOf(find.scope(), find.name(), version).spec().auth();
            return new Pieces.Auth(find.name(), version, auth);
        });
    }

    private Future<Optional<String>> validate(Pieces.Validate ask) {
        var piece = pieceOf(ask.scope(), ask.name(), ask.version());
        var problem = AuthTypes.problemOf(piece.spec().auth(), ask.value());
        if (problem.isPresent() || piece.spec().auth() == null) {
            return Future.succeededFuture(problem);
        }
        return piece.validate(ask.value(), ask.projectId()).recover(failure -> {
            if (failure instanceof PieceFailure refused && isRole(ask.value())) {
                // A role is not a secret, and its owner needs the cloud's message.
                return Future.succeededFuture(Optional.of(refused.getMessage()));
            }
            // The message comes from the piece and may contain credentials.
            LOG.warn(
                    "{} cannot check credentials: {}",
                    ask.name(),
                    failure.getClass().getName());
            return Future.failedFuture(ApiException.of(
                    ErrorCode.ENGINE_OPERATION_FAILURE, "the credentials could not be checked by the piece"));
        });
    }

    private Future<Pieces.IssueOutcome> issueToken(Pieces.IssueToken ask) {
        return provision
                .provide(ask.scope(), ask.name(), Optional.of(ask.version()))
                .compose(_ -> pieceOf(ask.scope(), ask.name(), ask.version())
                        .issueToken(ask.value(), ask.projectId())
                        .<Pieces.IssueOutcome>map(
                                token -> token.<Pieces.IssueOutcome>map(Pieces.IssueOutcome.Issued::new)
                                        .orElseGet(Pieces.IssueOutcome.Needless::new))
                        .recover(failure -> unissued(ask, failure)));
    }

    /** An error of the piece is a refusal; a crash, a timeout or a missing runtime is not. */
    private static Future<Pieces.IssueOutcome> unissued(Pieces.IssueToken ask, Throwable failure) {
        if (failure instanceof PieceFailure refused && refused.details().has("errorName")) {
            return Future.succeededFuture(new Pieces.IssueOutcome.Refused(refused.getMessage()));
        }
        if (ApiException.isUnavailable(failure)) {
            return Future.failedFuture(failure);
        }
        LOG.warn("{} cannot issue a token: {}", ask.name(), failure.getClass().getName());
        return Future.failedFuture(
                ApiException.of(ErrorCode.ENGINE_OPERATION_FAILURE, "the piece could not issue a token"));
    }

    private static boolean isRole(ObjectNode value) {
        return value.path("type").asText().equals(PropertyType.OIDC.name());
    }

    private String resolved(PieceScope scope, String name, Optional<String> wanted) {
        var version = wanted.orElse(null);
        return catalogue.resolve(scope, name, version).orElseThrow(() -> unknown(name, version));
    }

    private Piece pieceOf(PieceScope scope, String name, String version) {
        return catalogue.find(scope, name, version).orElseThrow(() -> unknown(name, version));
    }

    private static ApiException unknown(String name, String version) {
        return ApiException.notFound("piece_metadata", version == null ? name : name + "@" + version);
    }
}
