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
    /** Starts a session; returns its id. */
    record Begin(String holder, Revision revision) implements McpSessions, BusRequest<String> {}

    /** The revision of a session of this holder; empty when the session does not exist. */
    record Find(String id, String holder) implements McpSessions, BusRequest<Optional<Revision>> {}

    /** Ends a session of this holder, if there is one. */
    record End(String id, String holder) implements McpSessions, BusRequest<Nothing> {}

    /** A session has ended. */
    record Ended(String id) implements McpSessions, ClusterNotice {}
}
