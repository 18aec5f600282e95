package io.millrace.integration.mcp;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.FieldChange;
import java.util.List;
import java.util.Optional;

sealed interface McpServers {
    /** Reads the server of a project, which is created at the first request. Fails with ENTITY_NOT_FOUND. */
    record Get(String projectId) implements McpServers, BusRequest<McpServer> {}

    /**
     * Reads the server of a project for its display. A caller with the permissions of all tools receives the token, which is
     * replaced first if a reader has lost them.
     */
    record Show(Principal by, String projectId) implements McpServers, BusRequest<ShownServer> {}

    /** @param withToken true if the caller may receive the token */
    record ShownServer(McpServer server, boolean withToken) {}

    /**
     * Hides tools of a project's server, and pins tools.
     *
     * @param disabledTools a cleared list hides none
     * @param pinnedTools empty if unchanged
     */
    record Update(
            Principal by, String projectId, FieldChange<List<String>> disabledTools, Optional<List<String>> pinnedTools)
            implements McpServers, BusRequest<McpServer> {}

    /**
     * Replaces the token of a project's server; the previous one becomes invalid. Fails with PERMISSION_DENIED without the
     * permissions of all tools.
     */
    record Rotate(Principal by, String projectId) implements McpServers, BusRequest<McpServer> {}

    /**
     * Identifies the caller of a token. Fails with INVALID_BEARER_TOKEN.
     *
     * @param projectId the project whose server is called; empty if the token determines it
     * @param resource address of the called resource, the required audience of an access token
     */
    record Identify(String token, Optional<String> projectId, String resource)
            implements McpServers, BusRequest<McpCaller> {
        @Override
        public String toString() {
            return "Identify[" + resource + "]";
        }
    }

    /** Reads the selected project of a caller whose consent covers several; empty until one was selected. */
    record ContextOf(String grantId) implements McpServers, BusRequest<Optional<String>> {}

    /** Selects the project of a caller; requires access to the project. */
    record SetContext(Principal by, String grantId, String projectId) implements McpServers, BusRequest<Nothing> {}

    record ToolsChanged(String projectId) implements McpServers, ClusterNotice {}

    record ContextChanged(String grantId, String projectId) implements McpServers, ClusterNotice {}
}
