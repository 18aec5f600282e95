package io.millrace.integration.mcp;

import io.millrace.workspace.authorizationserver.Issuer;
import io.vertx.core.MultiMap;
import java.util.Optional;

/**
 * Metadata of a call of an MCP server, without its body.
 *
 * @param isPlatform true if the call is to the server for all projects of a user
 * @param projectId the project whose server is called; empty if the token determines it
 * @param address address of the client
 * @param authority host and port of this server, as the caller addresses it
 */
record McpRequest(MultiMap headers, boolean isPlatform, Optional<String> projectId, String address, String authority) {
    /** Canonical path of the called resource, independent of the prefix of the request. */
    String resourcePath() {
        return projectId.map(Issuer::pathOf).orElse(isPlatform ? Issuer.PLATFORM_RESOURCE : Issuer.PROJECT_RESOURCE);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }
}
