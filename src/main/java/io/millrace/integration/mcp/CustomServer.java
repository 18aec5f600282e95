package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.integration.mcp.tool.Tool;
import java.time.Instant;
import java.util.List;

/**
 * A further MCP server of a project, with a chosen set of tools.
 *
 * @param ownerId owner of the platform, named where a record needs a user
 */
record CustomServer(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String platformId,
        String ownerId,
        String displayName,
        @Unprefixed ToolSelection selection)
        implements McpToolOffer {
    static final int NAME_LENGTH_MAX = 100;

    /** A server with its token, which is shown once. */
    record ServerToken(CustomServer server, String token) {
        ObjectNode toJson() {
            return server.toJson().put("token", token);
        }

        @Override
        public String toString() {
            return "ServerToken[" + server.id() + "]";
        }
    }

    @Override
    public boolean offers(Tool tool) {
        return selection.covers(tool);
    }

    @Override
    public List<String> pinnedTools() {
        return selection.pinnedTools();
    }

    Principal.McpServerToken principal() {
        return new Principal.McpServerToken(id, projectId, platformId, ownerId);
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("displayName", displayName);
        selection.addTo(json);
        return json;
    }
}
