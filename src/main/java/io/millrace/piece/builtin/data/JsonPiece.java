package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import java.util.List;

/**
 * JSON: from text and to text, and several objects made one (contract pieces 14.3). Queries in JSONata are left to the
 * package.
 */
public final class JsonPiece {
    private JsonPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "json",
                        "JSON",
                        "Reads and writes JSON.",
                        "new-core/json-helper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.4", "0.0.9")),
                List.of(toText(), toJson(), JsonMerge.action()),
                List.of());
    }

    private static ComputedAction toText() {
        var props = Props.of(Props.named("text_object", Props.json("JSON", true).defaultingTo(Json.object())));
        return ComputedAction.linear(
                ComputedAction.pure("convertJsonToText", "Convert JSON to Text", "Converts a value to JSON.", props),
                input -> TextNode.valueOf(Json.text(input.path("text_object"))));
    }

    private static ComputedAction toJson() {
        var props =
                Props.of(Props.named("text_object", Props.longText("Text", true).defaultingTo(TextNode.valueOf(""))));
        return ComputedAction.linear(
                ComputedAction.pure("convertTextToJson", "Convert Text to JSON", "Parses JSON.", props),
                input -> parsed(input.path("text_object").asText()));
    }

    /** Parses a text as JSON; the error does not quote the text, which the author knows. */
    static JsonNode parsed(String text) {
        try {
            var value = Json.parse(ReceivedText.withoutMark(text));
            if (!value.isMissingNode()) {
                return value;
            }
        } catch (JsonProcessingException malformed) {
            var where = malformed.getLocation();
            throw PieceFailure.of("text_object: expected JSON, found text that is not JSON"
                    + (where == null ? "" : " in line " + where.getLineNr() + ", column " + where.getColumnNr()));
        }
        throw PieceFailure.of("text_object: expected JSON, found an empty text");
    }
}
