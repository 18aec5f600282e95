package io.millrace.piece.builtin;

import io.millrace.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCategory;
import io.millrace.piece.Property;
import io.millrace.piece.PropertyType;
import java.util.List;

/** Data Mapper: builds a new structure out of the outputs of other steps (contract pieces 14.2). */
final class DataMapperPiece {
    private DataMapperPiece() {}

    static Piece create() {
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
                List.of(new ComputedAction(
                        ComputedAction.pure(
                                "advanced_mapping",
                                "Advanced Mapping",
                                "Maps data from one form to another.",
                                Props.of(Props.named("mapping", mapping))),
                        // The input names every value already; what was mapped is the output.
                        props -> props.get("mapping"))),
                List.of());
    }
}
