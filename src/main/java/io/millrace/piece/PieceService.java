package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.persistence.Desk;
import io.vertx.core.Future;
import java.util.List;

/** Tells what the catalogue knows. Pieces are the same for everybody until somebody may add their own. */
public final class PieceService implements Desk {
    private final PieceCatalogue catalogue;

    public PieceService(PieceCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Pieces.Find.class, this::find);
        bus.serve(Pieces.FindRegistered.class, _ -> findRegistered());
        bus.serve(Pieces.Get.class, this::get);
        bus.serve(Pieces.FindVersions.class, this::findVersions);
        bus.serve(Pieces.FindOptions.class, this::findOptions);
    }

    private Future<ArrayNode> find(Pieces.Find find) {
        return Future.succeededFuture(find.query().answer(catalogue.newest()));
    }

    private Future<ArrayNode> findRegistered() {
        return Future.succeededFuture(PieceQuery.registry(catalogue));
    }

    private Future<ObjectNode> get(Pieces.Get get) {
        var wanted = get.version().orElse(null);
        var version = catalogue.resolve(get.name(), wanted).orElseThrow(() -> unknown(get.name(), wanted));
        return Future.succeededFuture(PieceMetadata.full(pieceOf(get.name(), version), version));
    }

    private Future<List<String>> findVersions(Pieces.FindVersions find) {
        var versions = catalogue.versions(find.name());
        return versions.isEmpty() ? Future.failedFuture(unknown(find.name(), null)) : Future.succeededFuture(versions);
    }

    private Future<ObjectNode> findOptions(Pieces.FindOptions find) {
        return Future.succeededFuture(
                PieceOptions.answer(pieceOf(find.name(), find.version()), find.step(), find.property(), find.input()));
    }

    private Piece pieceOf(String name, String version) {
        return catalogue.find(name, version).orElseThrow(() -> unknown(name, version));
    }

    private static ApiException unknown(String name, String version) {
        return ApiException.notFound("piece_metadata", version == null ? name : name + "@" + version);
    }
}
