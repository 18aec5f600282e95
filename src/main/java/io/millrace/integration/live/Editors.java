package io.millrace.integration.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who edits what on this node: locks, which ask others to keep their hands off, and presence. A lock stops nobody
 * (contract flows-and-engine 3.6: tree edits are last-write-wins), is gone with its holder's connection, and is anybody's
 * who insists. Safe for threads; all members of all projects share one.
 */
public final class Editors {
    private final Map<Resource, Editor> locks = new HashMap<>();
    private final Map<Resource, Set<Editor>> present = new HashMap<>();

    /** Something that is edited, by the name that clients give it. */
    record Resource(String projectId, String id) {}

    /**
     * What became of the wish for a lock.
     *
     * @param changed whether it has another holder now
     */
    record Locking(boolean acquired, boolean changed, Editor holder) {
        ObjectNode toJson() {
            var json = Json.object().put("acquired", acquired);
            json.set("lock", holder.toJson());
            return json;
        }
    }

    /** Locks; a lock of the same person is taken over. */
    synchronized Locking lock(Editor editor, String resourceId, boolean force) {
        var resource = new Resource(editor.projectId(), resourceId);
        var holder = locks.get(resource);
        if (holder != null && !holder.userId().equals(editor.userId()) && !force) {
            return new Locking(false, false, holder);
        }
        locks.put(resource, editor);
        return new Locking(true, holder == null || !holder.userId().equals(editor.userId()), editor);
    }

    /** Gives a lock back; false when it is another connection's. */
    synchronized boolean unlock(Editor editor, String resourceId) {
        return locks.remove(new Resource(editor.projectId(), resourceId), editor);
    }

    synchronized void join(Editor editor, String resourceId) {
        present.computeIfAbsent(new Resource(editor.projectId(), resourceId), _ -> new LinkedHashSet<>())
                .add(editor);
    }

    /** False when the editor was not there. */
    synchronized boolean leave(Editor editor, String resourceId) {
        var resource = new Resource(editor.projectId(), resourceId);
        var those = present.get(resource);
        if (those == null || !those.remove(editor)) {
            return false;
        }
        if (those.isEmpty()) {
            present.remove(resource);
        }
        return true;
    }

    /** Who is at a resource, each person once. */
    synchronized ObjectNode presence(String projectId, String resourceId) {
        var people = new TreeMap<String, ObjectNode>();
        present.getOrDefault(new Resource(projectId, resourceId), Set.of())
                .forEach(editor -> people.put(editor.userId(), editor.presence()));
        var json = Json.object().put("resourceId", resourceId);
        json.putArray("users").addAll(people.values());
        return json;
    }
}
