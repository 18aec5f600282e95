package io.millrace.piece.builtin.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.vertx.core.Future;
import java.util.List;

/** Tags: marks runs, to find them again (contract pieces 14.2). */
public final class TagsPiece {
    private static final int LENGTH_MAX = 200;

    private TagsPiece() {}

    public static Piece create() {
        var props = Props.of(
                Props.named("info", Props.markdown("Run lists can be filtered by tag.", "INFO")),
                Props.named("name", Props.shortText("Tag Name", true)));
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "tags",
                        "Tags",
                        "Marks runs with tags.",
                        "new-core/tags.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.0", "0.0.17")),
                // A recomputed step tags its run again, so that the tag survives a crash.
                List.of(new ContextAction(
                        ComputedAction.pure("add_tag", "Add Tag", "Marks the run with a tag.", props), TagsPiece::add)),
                List.of());
    }

    private static Future<JsonNode> add(StepContext context) {
        var name = context.props().path("name").asText("").strip();
        if (name.isEmpty() || name.length() > LENGTH_MAX) {
            throw PieceFailure.of(
                    "name: expected a tag of 1 to " + LENGTH_MAX + " characters, found one of " + name.length());
        }
        context.tag(name);
        return Future.succeededFuture(Json.object().put("success", true));
    }
}
