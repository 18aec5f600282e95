package io.millrace.integration.live;

import io.millrace.base.http.PolledSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Clients of the channel that fetch and bring by requests, by their session. Their requests come on any event loop. */
public final class PolledClients {
    private final Map<String, PolledSocket> sessions = new ConcurrentHashMap<>();

    /** Keeps a client until there is nothing left that it could fetch. */
    void keep(String id, PolledSocket socket) {
        sessions.put(id, socket);
        socket.whenFinished(() -> sessions.remove(id));
    }

    /** @param id null for none */
    Optional<PolledSocket> find(String id) {
        return Optional.ofNullable(id).map(sessions::get);
    }
}
