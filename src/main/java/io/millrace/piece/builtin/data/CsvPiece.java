package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import java.util.List;

/** CSV: parses and writes tables (contract pieces 14.3). */
public final class CsvPiece {
    private static final String AUTO = "auto";

    private static final Property DELIMITER = Props.choice(
                    "Delimiter Type", true, "Comma", ",", "Tab", "\t", "Semicolon", ";", "Vertical bar", "|")
            .describedAs("Field separator.")
            .defaultingTo(TextNode.valueOf(","));

    private static final Property READ_DELIMITER = Props.choice(
                    "Delimiter Type",
                    true,
                    "Comma",
                    ",",
                    "Tab",
                    "\t",
                    "Semicolon",
                    ";",
                    "Vertical bar",
                    "|",
                    "Detect",
                    AUTO)
            .describedAs("Field separator.")
            .defaultingTo(TextNode.valueOf(","));

    private CsvPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "csv",
                        "CSV",
                        "Reads and writes tables as text.",
                        "new-core/csv.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.4.13", "0.3.0")),
                List.of(toJson(), toCsv()),
                List.of());
    }

    private static ComputedAction toJson() {
        var props = Props.of(
                Props.named("csv_text", Props.longText("CSV Text", true).defaultingTo(TextNode.valueOf(""))),
                Props.named(
                        "has_headers", Props.checkbox("Has Header Row", false).defaultingTo(BooleanNode.FALSE)),
                Props.named("delimiter_type", READ_DELIMITER));
        return ComputedAction.linear(
                ComputedAction.pure(
                        "convert_csv_to_json", "Convert CSV to JSON", "Converts a table to a list of rows.", props),
                input -> CsvReader.read(
                        input.path("csv_text").asText(""),
                        input.path("has_headers").asBoolean(false),
                        input.path("delimiter_type").asText("").equals(AUTO) ? CsvReader.DETECTED : delimiter(input)));
    }

    private static ComputedAction toCsv() {
        var props = Props.of(
                Props.named(
                        "json_array",
                        Props.json("JSON Array", true)
                                .describedAs("A list of objects. The names inside an object become one name with"
                                        + " dots.")),
                Props.named("delimiter_type", DELIMITER));
        return ComputedAction.linear(
                ComputedAction.pure(
                        "convert_json_to_csv", "Convert JSON to CSV", "Converts a list of objects to a table.", props),
                input -> TextNode.valueOf(CsvWriter.write(input.path("json_array"), delimiter(input))));
    }

    private static char delimiter(ObjectNode input) {
        var name = input.path("delimiter_type").asText(",");
        return switch (name) {
            case ",", "comma" -> ',';
            case "\t", "\\t", "tab" -> '\t';
            case ";", "semicolon" -> ';';
            case "|", "pipe" -> '|';
            default ->
                throw PieceFailure.of(
                        "delimiter_type: expected a comma, a tab, a semicolon or a vertical bar, found " + name);
        };
    }
}
