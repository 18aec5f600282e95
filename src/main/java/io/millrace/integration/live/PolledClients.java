package io.millrace.integration.live;

import io.millrace.base.core.Ids;
import io.millrace.base.http.socket.PolledSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Long-polling clients of the channel at this node, by session id. Their requests arrive on any event loop and at any node: the
 * session id contains the id of its node.
 */
public final class PolledClients {
    private final String nodeId;
    private final Map<String, PolledSocket> sessions = new ConcurrentHashMap<>();

    public PolledClients(String nodeId) {
        this.nodeId = nodeId;
    }

    String nodeId() {
        return nodeId;
    }

    /** Creates an unguessable session id. */
    String newSession() {
        return nodeId + Ids.next();
    }

    static Optional<String> nodeOf(String session) {
        return session.length() == 2 * Ids.LENGTH ? Optional.of(session.substring(0, Ids.LENGTH)) : Optional.empty();
    }

    /** Keeps a client until it has fetched all packets. */
    void keep(String session, PolledSocket socket) {
        sessions.put(session, socket);
        socket.whenFinished(() -> sessions.remove(session));
    }

    /** @param session null for none */
    Optional<PolledSocket> find(String session) {
        return Optional.ofNullable(session).map(sessions::get);
    }
}
