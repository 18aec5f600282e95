package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.List;

/** Data Mapper: builds a new structure out of the outputs of other steps (contract pieces 14.2). */
public final class DataMapperPiece {
    private static final Property SPLIT_BY = Props.choice(
                    "Split by", true, "Items per chunk", "size", "Number of chunks", "count")
            .defaultingTo(TextNode.valueOf("size"));

    private DataMapperPiece() {}

    public static Piece create() {
        var mapping = Property.of(PropertyType.JSON, "Mapping", true)
                .describedAs("The structure to build.")
                .defaultingTo(Json.object().put("newProperty", "oldProperty"));
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "data-mapper",
                        "Data Mapper",
                        "Builds new structures from data.",
                        "new-core/data-mapper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.3.15", "0.3.0")),
                List.of(
                        new ComputedAction(
                                ComputedAction.pure(
                                        "advanced_mapping",
                                        "Advanced Mapping",
                                        "Maps data from one form to another.",
                                        Props.of(Props.named("mapping", mapping))),
                                // The input names every value already; what was mapped is the output.
                                props -> props.get("mapping")),
                        chunk()),
                List.of());
    }

    private static ComputedAction chunk() {
        var props = Props.of(
                Props.named("items", Props.list("Array", true).describedAs("The list to split.")),
                Props.named("mode", SPLIT_BY),
                Props.named(
                        "n",
                        Props.number("N", true)
                                .describedAs("Items per list, or number of lists.")
                                .defaultingTo(IntNode.valueOf(2))));
        return ComputedAction.linear(
                ComputedAction.pure("chunk_array", "Chunk Array", "Splits a list into shorter ones.", props),
                DataMapperPiece::chunks);
    }

    private static JsonNode chunks(ObjectNode input) {
        var items = input.path("items");
        var n = JsNumbers.of(input.path("n"));
        if (n != Math.rint(n) || n < 1 || n > Integer.MAX_VALUE) {
            throw PieceFailure.of("n: expected a whole number from 1 on, found "
                    + input.path("n").asText());
        }
        var byCount = Props.chosen(input, "mode", SPLIT_BY, "size").equals("count");
        var size = byCount ? Math.max(1, Math.ceilDiv(items.size(), (int) n)) : (int) n;
        var chunks = Json.array();
        for (var i = 0; i < items.size(); i++) {
            var chunk = i % size == 0 ? chunks.addArray() : (ArrayNode) chunks.get(chunks.size() - 1);
            chunk.add(items.get(i));
        }
        return chunks;
    }
}
