package io.millrace.integration.mcp;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.Optional;

/**
 * Messages about the custom MCP servers of a project, handled by {@link CustomServerService}. Callers must have authorized
 * access to the project. A server of another project is ENTITY_NOT_FOUND.
 */
sealed interface CustomServers {
    /** Fails with VALIDATION for a flow that the project does not have, and beyond the bound of a project. */
    record Create(Principal by, String projectId, String displayName, ToolSelection.Change selection)
            implements CustomServers, BusRequest<CustomServer.ServerToken> {}

    record Find(String projectId, String id) implements CustomServers, BusRequest<CustomServer> {}

    /** The servers of a project, newest first. */
    record ListOf(String projectId, PageRequest page) implements CustomServers, BusRequest<Page<CustomServer>> {}

    record Update(
            Principal by, String projectId, String id, Optional<String> displayName, ToolSelection.Change selection)
            implements CustomServers, BusRequest<CustomServer> {}

    /** The previous token becomes invalid. */
    record Rotate(Principal by, String projectId, String id)
            implements CustomServers, BusRequest<CustomServer.ServerToken> {}

    record Delete(Principal by, String projectId, String id) implements CustomServers, BusRequest<Nothing> {}
}
