package io.millrace.integration.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Json;

/**
 * Messages about editors at all nodes, handled by {@link EditorService}: locks and presence. Locks are advisory (contract
 * flows-and-engine 3.6: tree edits are last-write-wins); a lock ends with its holder's connection, and any member may take it
 * by force.
 */
public sealed interface Editors {
    record Resource(String projectId, String id) {}

    /** Locks; a lock of the same person is taken over. */
    record Lock(EditorPresence editor, String resourceId, boolean force) implements Editors, BusRequest<Locking> {}

    /** Releases a lock, unless another connection holds it now. */
    record Unlock(EditorPresence editor, String resourceId) implements Editors, BusRequest<Nothing> {}

    record Join(EditorPresence editor, String resourceId) implements Editors, BusRequest<Nothing> {}

    record Leave(EditorPresence editor, String resourceId) implements Editors, BusRequest<Nothing> {}

    /** Removes a member's presence and locks: the connection is closed. */
    record Depart(EditorPresence editor) implements Editors, BusRequest<Nothing> {}

    /**
     * Result of a lock request.
     *
     * @param changed true if the holder has changed
     */
    record Locking(boolean acquired, boolean changed, EditorPresence.Holder holder) {
        ObjectNode toJson() {
            var json = Json.object().put("acquired", acquired);
            json.set("lock", holder.toJson());
            return json;
        }
    }

    /** The users at a resource have changed; the rows list them. */
    record PresenceChanged(String projectId, String resourceId) implements Editors, ClusterNotice {}
}
