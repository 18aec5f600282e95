package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import java.util.List;

/** XML: from JSON and to JSON (contract pieces 14.3). */
public final class XmlPiece {
    private static final String ATTRIBUTES_KEY = "attr";

    private XmlPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "xml",
                        "XML",
                        "Reads and writes XML.",
                        "xml.png",
                        List.of(PieceCategory.CORE),
                        List.of("0.2.0", "0.1.11", "0.0.8")),
                List.of(toJson(), toXml()),
                List.of());
    }

    private static ComputedAction toJson() {
        var props = Props.of(
                Props.named("xml", Props.longText("XML", true)),
                Props.named(
                        "ignoreAttributes",
                        Props.checkbox("Ignore Attributes", false)
                                .describedAs("Omits attributes; otherwise they are fields with the prefix @_.")
                                .defaultingTo(BooleanNode.FALSE)));
        return ComputedAction.linear(
                ComputedAction.pure("convert-xml-to-json", "Convert XML to JSON", "Converts XML to an object.", props),
                input -> XmlReader.read(
                        input.path("xml").asText(""),
                        input.path("ignoreAttributes").asBoolean(false)));
    }

    private static ComputedAction toXml() {
        var props = Props.of(
                Props.named("json", Props.json("JSON", true)),
                Props.named(
                        "attributes_key",
                        Props.shortText("Attribute field", false)
                                .describedAs("Field with the attributes of an element.")
                                .defaultingTo(TextNode.valueOf(ATTRIBUTES_KEY))),
                Props.named("header", Props.checkbox("Header", false).describedAs("Includes an XML declaration.")));
        return ComputedAction.linear(
                ComputedAction.pure("convert-json-to-xml", "Convert JSON to XML", "Converts an object to XML.", props),
                input -> TextNode.valueOf(new XmlWriter(attributesKey(input))
                        .write(input.path("json"), input.path("header").asBoolean(false))));
    }

    private static String attributesKey(ObjectNode input) {
        var key = input.path("attributes_key");
        return key.isTextual() && !key.asText().isEmpty() ? key.asText() : ATTRIBUTES_KEY;
    }
}
