package io.millrace.integration.mcp;

import io.millrace.base.access.Principal;
import java.util.Optional;

/**
 * Authenticated caller of an MCP server.
 *
 * @param by the user who gave the consent; for a server's own token the server, limited to its project
 * @param projectId the accessible project; empty for every project of the user
 * @param holder identity of the token, the same for every token of one consent: sessions belong to it
 * @param grantId empty for a server's own token
 * @param customServerId the custom server whose token was sent; empty for the server that each project has
 */
record McpCaller(
        Principal by,
        Optional<String> projectId,
        String holder,
        Optional<String> grantId,
        Optional<String> customServerId) {
    static McpCaller ofServer(Principal by, McpServer server) {
        return new McpCaller(
                by, Optional.of(server.projectId()), "server:" + server.id(), Optional.empty(), Optional.empty());
    }

    static McpCaller ofCustomServer(CustomServer server) {
        return new McpCaller(
                server.principal(),
                Optional.of(server.projectId()),
                "server:" + server.id(),
                Optional.empty(),
                Optional.of(server.id()));
    }

    static McpCaller ofGrant(Principal by, Optional<String> projectId, String grantId) {
        return new McpCaller(by, projectId, "grant:" + grantId, Optional.of(grantId), Optional.empty());
    }

    McpCaller from(String address) {
        return new McpCaller(by.from(address), projectId, holder, grantId, customServerId);
    }

    /** Returns true if the caller chooses among projects. */
    boolean isWide() {
        return projectId.isEmpty();
    }
}
