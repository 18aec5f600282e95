package io.millrace.integration.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.List;
import java.util.Optional;

/** Rows of editors and locks. Rows of a node without a valid lease are ignored. */
final class EditorStore {
    private static final String HOLDER =
            "select user_id, display_name from editor_lock where project_id = $1 and resource_id = $2";

    private static final RowMapper<EditorPresence.Holder> HOLDERS = RowMapper.of(EditorPresence.Holder.class, HOLDER);

    private static final String RESOURCE = " returning project_id, resource_id as id";

    private static final String UNLOCK_ALL =
            "delete from editor_lock where project_id = $1 and member_id = $2" + RESOURCE;

    private static final RowMapper<Editors.Resource> RESOURCES = RowMapper.of(Editors.Resource.class, UNLOCK_ALL);

    private static final String PRESENT = """
            select distinct on (p.user_id) p.member_id, p.project_id, p.user_id, p.display_name, p.email, p.image_url
              from editor_presence p join node n on n.id = p.node_id and n.lease_until > now()
             where p.project_id = $1 and p.resource_id = $2 order by p.user_id, p.member_id
            """;

    private static final RowMapper<EditorPresence> EDITORS = RowMapper.of(EditorPresence.class, PRESENT);

    /**
     * Acquires a lock, unless another user holds it and {@code force} is not set.
     *
     * @return true if the holder has changed; empty if the lock was not acquired
     */
    Future<Optional<Boolean>> lock(Tx tx, EditorPresence editor, String resourceId, String nodeId, boolean force) {
        return tx.query(
                        """
                        with former as (
                          select user_id from editor_lock l join node n on n.id = l.node_id and n.lease_until > now()
                          where project_id = $1 and resource_id = $2
                        )
                        insert into editor_lock as held (project_id, resource_id, member_id, node_id, user_id, display_name)
                        values ($1, $2, $3, $4, $5, $6)
                        on conflict (project_id, resource_id) do update set
                          member_id = excluded.member_id, node_id = excluded.node_id, user_id = excluded.user_id,
                          display_name = excluded.display_name
                        where $7 or held.user_id = excluded.user_id
                          or not exists (select from node n where n.id = held.node_id and n.lease_until > now())
                        returning not exists (select from former f where f.user_id = $5) as changed
                        """,
                        editor.projectId(),
                        resourceId,
                        editor.memberId(),
                        nodeId,
                        editor.userId(),
                        editor.displayName(),
                        force)
                .map(rows -> Rows.first(rows, row -> Rows.flag(row, "changed")));
    }

    Future<Optional<EditorPresence.Holder>> holder(Tx tx, String projectId, String resourceId) {
        return tx.query(HOLDER, projectId, resourceId).map(HOLDERS::first);
    }

    /** Returns false when another connection holds the lock. */
    Future<Boolean> unlock(Tx tx, EditorPresence editor, String resourceId) {
        return tx.query("""
                        delete from editor_lock where project_id = $1 and resource_id = $2 and member_id = $3
                        returning resource_id
                        """, editor.projectId(), resourceId, editor.memberId()).map(rows -> rows.size() > 0);
    }

    /** Releases all locks of a connection; returns their resources. */
    Future<List<Editors.Resource>> unlockAll(Tx tx, EditorPresence editor) {
        return tx.query(UNLOCK_ALL, editor.projectId(), editor.memberId()).map(EditorStore::resources);
    }

    Future<Void> join(Tx tx, EditorPresence editor, String resourceId, String nodeId) {
        return tx.query(
                        """
                        insert into editor_presence
                          (project_id, resource_id, member_id, node_id, user_id, display_name, email, image_url)
                        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing
                        """,
                        editor.projectId(),
                        resourceId,
                        editor.memberId(),
                        nodeId,
                        editor.userId(),
                        editor.displayName(),
                        editor.email(),
                        Optional.ofNullable(editor.imageUrl()))
                .mapEmpty();
    }

    /** False when the editor was not there. */
    Future<Boolean> leave(Tx tx, EditorPresence editor, String resourceId) {
        return tx.query("""
                        delete from editor_presence where project_id = $1 and resource_id = $2 and member_id = $3
                        returning resource_id
                        """, editor.projectId(), resourceId, editor.memberId()).map(rows -> rows.size() > 0);
    }

    Future<List<Editors.Resource>> leaveAll(Tx tx, EditorPresence editor) {
        return tx.query(
                        "delete from editor_presence where project_id = $1 and member_id = $2" + RESOURCE,
                        editor.projectId(),
                        editor.memberId())
                .map(EditorStore::resources);
    }

    /** Users present at a resource, each once. */
    Future<ArrayNode> present(Tx tx, String projectId, String resourceId) {
        return tx.query(PRESENT, projectId, resourceId).map(rows -> {
            var people = Json.array();
            EDITORS.all(rows).forEach(editor -> people.add(editor.presence()));
            return people;
        });
    }

    /** Releases the locks of nodes whose lease has ended; if several nodes ask, one receives them. */
    Future<List<Editors.Resource>> unlockOfTheGone(Tx tx) {
        return tx.query("""
                        delete from editor_lock l
                        where not exists (select from node n where n.id = l.node_id and n.lease_until > now())
                        """ + RESOURCE).map(EditorStore::resources);
    }

    Future<List<Editors.Resource>> leaveOfTheGone(Tx tx) {
        return tx.query("""
                        delete from editor_presence p
                        where not exists (select from node n where n.id = p.node_id and n.lease_until > now())
                        """ + RESOURCE).map(EditorStore::resources);
    }

    private static List<Editors.Resource> resources(RowSet<Row> rows) {
        return RESOURCES.all(rows).stream().distinct().toList();
    }
}
