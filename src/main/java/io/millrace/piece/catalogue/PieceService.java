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

/** Tells what the catalogue knows. What a platform has installed is shown to its own people only. */
public final class PieceService implements BusService {
    private static final long EXTRAS_MS_MAX = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(PieceService.class);

    private final PieceCatalogue catalogue;
    private final PieceChoices choices;
    private Bus bus;

    public PieceService(PieceCatalogue catalogue, PieceChoices choices) {
        this.catalogue = catalogue;
        this.choices = choices;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(Pieces.Find.class, this::find);
        bus.serve(Pieces.FindRegistered.class, this::findRegistered);
        bus.serve(Pieces.Get.class, this::get);
        bus.serve(Pieces.FindVersions.class, this::findVersions);
        bus.serve(Pieces.FindOptions.class, this::findOptions);
        bus.serve(Pieces.FindAuth.class, this::findAuth);
        bus.serve(Pieces.Validate.class, this::validate);
    }

    private Future<ArrayNode> find(Pieces.Find find) {
        var extras = find.extras();
        return choices.offered(find.scope().platformId(), find.projectId(), extras.hiddenToo())
                .compose(offered -> find(
                        find.query(),
                        catalogue.newest(find.scope()).stream()
                                .filter(piece -> offered.test(piece.spec().name()))
                                .toList()))
                .compose(found -> extras.tags() ? tagged(find.scope(), found) : Future.succeededFuture(found))
                .compose(found -> extras.locale()
                        .map(locale -> translated(locale, descriptions(found)).map(found))
                        .orElseGet(() -> Future.succeededFuture(found)));
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

    private static Future<ArrayNode> find(PieceQuery query, List<Piece> seen) {
        var answer = query.answer(seen);
        return Future.all(seen.stream().map(Piece::trouble).toList()).map(troubles -> {
            for (var index = 0; index < seen.size(); index++) {
                var name = seen.get(index).spec().name();
                Optional<String> trouble = troubles.resultAt(index);
                trouble.ifPresent(reason -> markUnavailable(answer, name, reason));
            }
            return answer;
        });
    }

    private static void markUnavailable(ArrayNode summaries, String name, String reason) {
        for (var summary : summaries) {
            if (summary.path("name").asText().equals(name)) {
                ((ObjectNode) summary).put("available", false).put("unavailableReason", reason);
            }
        }
    }

    private Future<ArrayNode> findRegistered(Pieces.FindRegistered find) {
        return Future.succeededFuture(PieceQuery.registry(catalogue, find.scope()));
    }

    private Future<ObjectNode> get(Pieces.Get get) {
        var version = resolved(get.scope(), get.name(), get.version());
        var description = pieceOf(get.scope(), get.name(), version).describe(version);
        return get.locale()
                .map(locale -> translated(locale, List.of(description)).map(List::getFirst))
                .orElseGet(() -> Future.succeededFuture(description));
    }

    private Future<List<String>> findVersions(Pieces.FindVersions find) {
        var versions = catalogue.versions(find.scope(), find.name());
        return versions.isEmpty() ? Future.failedFuture(unknown(find.name(), null)) : Future.succeededFuture(versions);
    }

    private Future<ObjectNode> findOptions(Pieces.FindOptions find) {
        return pieceOf(find.scope(), find.name(), find.version()).options(find.question());
    }

    private Future<Pieces.Auth> findAuth(Pieces.FindAuth find) {
        var version = resolved(find.scope(), find.name(), find.version());
        var auth = pieceOf(find.scope(), find.name(), version).spec().auth();
        return Future.succeededFuture(new Pieces.Auth(find.name(), version, auth));
    }

    private Future<Optional<String>> validate(Pieces.Validate ask) {
        var piece = pieceOf(ask.scope(), ask.name(), ask.version());
        var problem = AuthTypes.problemOf(piece.spec().auth(), ask.value());
        if (problem.isPresent() || piece.spec().auth() == null) {
            return Future.succeededFuture(problem);
        }
        return piece.validate(ask.value(), ask.projectId()).recover(failure -> {
            if (failure instanceof PieceFailure refused && isRole(ask.value())) {
                // A role is no secret, and what the cloud says of it is what its owner must know.
                return Future.succeededFuture(Optional.of(refused.getMessage()));
            }
            // The text of the failure is the piece's own and may hold what it was given.
            LOG.warn(
                    "{} could not check credentials: {}",
                    ask.name(),
                    failure.getClass().getName());
            return Future.failedFuture(ApiException.of(
                    ErrorCode.ENGINE_OPERATION_FAILURE, "the credentials could not be checked by the piece"));
        });
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
