package io.millrace.integration.mcp;

import io.millrace.workspace.authorizationserver.Issuer;
import io.vertx.core.MultiMap;
import java.util.Optional;

/**
 * What a call of an MCP server says outside of its body.
 *
 * @param isPlatform whether the server for all projects of a person is called
 * @param projectId the project whose server is called; empty when the token has to say
 * @param address where the call comes from
 * @param authority host and port by which the caller may know this server
 */
record McpRequest(MultiMap headers, boolean isPlatform, Optional<String> projectId, String address, String authority) {
    /** Path of what is called, which names it whatever prefix the call came by. */
    String resourcePath() {
        return projectId.map(Issuer::pathOf).orElse(isPlatform ? Issuer.PLATFORM_RESOURCE : Issuer.PROJECT_RESOURCE);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }
}
