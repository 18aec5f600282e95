package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.util.List;
import java.util.Map;

/**
 * MCP: exposes a flow as a tool of its project's MCP server, and sends the response to the calling client (contract
 * 28.3).
 */
public final class McpPiece {
    private McpPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "mcp",
                        "MCP",
                        "Lets AI clients call a flow as a tool.",
                        "new-core/mcp.svg",
                        List.of(PieceCategory.ARTIFICIAL_INTELLIGENCE, PieceCategory.UNIVERSAL_AI),
                        List.of("0.1.0", "0.0.9")),
                List.of(new ReplyToMcpClient()),
                List.of(new McpTool()));
    }

    static Map<String, Property> responseFor(ObjectNode input) {
        var advanced = input.path("mode").asText().equals("advanced");
        return Map.of("response", Property.of(advanced ? PropertyType.JSON : PropertyType.OBJECT, "Response", true));
    }
}
