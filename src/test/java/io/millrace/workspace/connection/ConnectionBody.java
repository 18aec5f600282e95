package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer.SignedIn;

/** Request bodies for connections, and their prerequisites. */
final class ConnectionBody {
    static final String HTTP_PIECE = "@activepieces/piece-http";
    static final String SECRET = "open-sesame-4711";

    private ConnectionBody() {}

    /** A connection of a type to the HTTP piece, with a secret where the type has one. */
    static ObjectNode of(String projectId, String externalId, String type) {
        var body = Json.object()
                .put("projectId", projectId)
                .put("externalId", externalId)
                .put("displayName", "A connection")
                .put("pieceName", HTTP_PIECE)
                .put("type", type);
        if (type.equals("PLACEHOLDER")) {
            return body;
        }
        var value = body.putObject("value").put("type", type);
        switch (type) {
            case "SECRET_TEXT" -> value.put("secret_text", SECRET);
            case "BASIC_AUTH" -> value.put("username", "mill").put("password", SECRET);
            case "CUSTOM_AUTH" -> value.putObject("props").put("key", SECRET);
            default -> value.put("ignored", true);
        }
        return body;
    }

    /** Input of a step that calls an address with a token. */
    static ObjectNode call(String url, String token) {
        var input = Json.object()
                .put("method", "GET")
                .put("url", url)
                .put("authType", "BEARER_TOKEN")
                .put("body_type", "none");
        input.putObject("headers");
        input.putObject("queryParams");
        input.putObject("authFields").put("token", token);
        return input;
    }

    /** Creates a project; returns its id. */
    static String team(SignedIn owner) {
        return owner.api()
                .post("/v1/projects", Json.object().put("displayName", "Team"))
                .text("/id");
    }
}
