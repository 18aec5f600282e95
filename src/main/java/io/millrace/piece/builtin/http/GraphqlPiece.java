package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** GraphQL: one action that sends a query to a server (contract pieces 14.4), an HTTP request with a specific body. */
public final class GraphqlPiece {
    private GraphqlPiece() {}

    /** The piece; its requests go out through the guarded client. */
    public static Piece create(OutboundHttp http) {
        var spec =
                new ActionSpec("send_request", "Send Request", "Sends a GraphQL query.", props(), true, false, false);
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "graphql",
                        "GraphQL",
                        "Sends GraphQL queries.",
                        "graphql.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.0", "0.0.4")),
                List.of(new SendRequest(http, spec, GraphqlPiece::translated)),
                List.of());
    }

    private static Map<String, Property> props() {
        var props = new LinkedHashMap<String, Property>();
        props.put("method", SendRequestProperties.method("POST"));
        props.put("url", Props.shortText("URL", true));
        props.put("queryParams", Props.object("Query params", true));
        props.put("headers", Props.object("Headers", true));
        props.put("query", Props.longText("Query", true));
        props.put("variables", Props.json("Variables", false));
        props.putAll(SendRequestProperties.way());
        props.put("failsafe", Props.checkbox("No Error on Failure", false));
        return props;
    }

    /** A request without a body has its query in the URL, as the GraphQL specification for HTTP requires. */
    private static ObjectNode translated(ObjectNode input) {
        var request = input.deepCopy();
        var method = input.path("method").asText("POST");
        request.put("method", method);
        if (method.equals("GET") || method.equals("HEAD")) {
            var query = request.withObject("/queryParams").set("query", input.path("query"));
            if (input.hasNonNull("variables")) {
                ((ObjectNode) query).set("variables", TextNode.valueOf(Json.text(input.get("variables"))));
            }
            return request;
        }
        var data = Json.object();
        data.set("query", input.path("query"));
        if (input.hasNonNull("variables")) {
            data.set("variables", input.get("variables"));
        }
        request.put("body_type", "json").putObject("body").set("data", data);
        return request;
    }
}
