package io.millrace.integration.mcp;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.integration.mcp.protocol.Revision;
import java.util.Optional;

/**
 * What one may ask of sessions, which clients of the revisions with a handshake have. A session says which revision was
 * agreed upon, and can be ended; nothing else hangs on it, so that any node may answer any call. Answered by {@link
 * McpSessionService}.
 */
sealed interface McpSessions {
    /** Begins a session; answers its id. */
    record Begin(String holder, Revision revision) implements McpSessions, BusRequest<String> {}

    /** The revision of a session of this holder; empty when there is no such session. */
    record Find(String id, String holder) implements McpSessions, BusRequest<Optional<Revision>> {}

    /** Ends a session of this holder, if there is one. */
    record End(String id, String holder) implements McpSessions, BusRequest<Nothing> {}

    /** A session has ended. */
    record Ended(String id) implements McpSessions, ClusterNotice {}
}
