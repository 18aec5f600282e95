package io.millrace.integration.mcp;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.integration.mcp.protocol.Revision;
import java.util.Optional;

/**
 * Messages about sessions of clients of the revisions with a handshake, handled by {@link McpSessionService}. A session holds
 * only the negotiated revision and can be ended, so that any node may answer any call.
 */
sealed interface McpSessions {
    record Begin(String holder, Revision revision) implements McpSessions, BusRequest<String> {}

    /** The revision of a session of this holder; empty when the session does not exist. */
    record Find(String id, String holder) implements McpSessions, BusRequest<Optional<Revision>> {}

    record End(String id, String holder) implements McpSessions, BusRequest<Nothing> {}

    record Ended(String id) implements McpSessions, ClusterNotice {}
}
