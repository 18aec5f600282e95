package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@link Editors}. The rows are authoritative; a notice makes every node with members of the project inform them.
 * Results are sent in the order of the reads, so that the last message has the latest state.
 */
public final class EditorService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(EditorService.class);

    private final Bus bus;
    private final Database database;
    private final String nodeId;
    private final EditorStore store = new EditorStore();
    private Future<?> told = Future.succeededFuture();

    public EditorService(Bus bus, Database database, String nodeId) {
        this.bus = bus;
        this.database = database;
        this.nodeId = nodeId;
    }

    @Override
    public void open(Bus opened) {
        opened.serve(Editors.Lock.class, this::lock);
        opened.serve(Editors.Unlock.class, this::unlock);
        opened.serve(Editors.Join.class, this::join);
        opened.serve(Editors.Leave.class, this::leave);
        opened.serve(Editors.Depart.class, this::depart);
        opened.on(Editors.PresenceChanged.class, this::tellPresence);
        opened.on(ChannelBroadcast.class, this::tellMembers);
        opened.on(Flows.Updated.class, this::tellChanged);
        opened.on(Cluster.NodeGone.class, _ -> forgetTheGone());
        forgetTheGone();
    }

    private Future<Editors.Locking> lock(Editors.Lock lock) {
        var editor = lock.editor();
        return database.read(tx -> store.lock(tx, editor, lock.resourceId(), nodeId, lock.force()))
                .compose(locked -> locked.isPresent()
                        ? Future.succeededFuture(locked(editor, lock.resourceId(), locked.get()))
                        : heldByAnother(lock));
    }

    private Editors.Locking locked(EditorPresence editor, String resourceId, boolean changed) {
        if (changed) {
            tell(editor.projectId(), "RESOURCE_LOCKED", editor.toJson().put("resourceId", resourceId));
        }
        return new Editors.Locking(true, changed, new EditorPresence.Holder(editor.userId(), editor.displayName()));
    }

    /** Reads the holder of the lock; a member that has released it meanwhile does not hold it. */
    private Future<Editors.Locking> heldByAnother(Editors.Lock lock) {
        return database.read(tx -> store.holder(tx, lock.editor().projectId(), lock.resourceId()))
                .compose(holder -> holder.isPresent()
                        ? Future.succeededFuture(new Editors.Locking(false, false, holder.get()))
                        : lock(lock));
    }

    private Future<Nothing> unlock(Editors.Unlock unlock) {
        var editor = unlock.editor();
        return database.read(tx -> store.unlock(tx, editor, unlock.resourceId()))
                .onSuccess(wasHeld -> {
                    if (wasHeld) {
                        tellUnlocked(new Editors.Resource(editor.projectId(), unlock.resourceId()));
                    }
                })
                .map(Nothing.DONE);
    }

    private Future<Nothing> join(Editors.Join join) {
        var editor = join.editor();
        return database.read(tx -> store.join(tx, editor, join.resourceId(), nodeId))
                .onSuccess(_ -> changed(new Editors.Resource(editor.projectId(), join.resourceId())))
                .map(Nothing.DONE);
    }

    private Future<Nothing> leave(Editors.Leave leave) {
        var editor = leave.editor();
        return database.read(tx -> store.leave(tx, editor, leave.resourceId()))
                .onSuccess(wasThere -> {
                    if (wasThere) {
                        changed(new Editors.Resource(editor.projectId(), leave.resourceId()));
                    }
                })
                .map(Nothing.DONE);
    }

    private Future<Nothing> depart(Editors.Depart depart) {
        var editor = depart.editor();
        return database.read(tx -> store.unlockAll(tx, editor))
                .onSuccess(unlocked -> unlocked.forEach(this::tellUnlocked))
                .compose(_ -> database.read(tx -> store.leaveAll(tx, editor)))
                .onSuccess(left -> left.forEach(this::changed))
                .map(Nothing.DONE);
    }

    /** Removes locks of nodes that have ended. */
    private void forgetTheGone() {
        database.read(store::unlockOfTheGone)
                .onSuccess(unlocked -> unlocked.forEach(this::tellUnlocked))
                .compose(_ -> database.read(store::leaveOfTheGone))
                .onSuccess(left -> left.forEach(this::changed))
                .onFailure(
                        cause -> LOG.warn("cannot remove editors of an ended node, retrying: {}", cause.getMessage()));
    }

    /** Notifies open editors of the flow, of all users, to read it again. */
    private void tellChanged(Flows.Updated updated) {
        var flow = updated.flow().flow();
        var version = updated.flow().version();
        tell(
                flow.projectId(),
                "FLOW_CHANGED",
                Json.object()
                        .put("flowId", flow.id())
                        .put("versionId", version.id())
                        .put("versionUpdated", Json.timestamp(version.updated())));
    }

    private void changed(Editors.Resource resource) {
        bus.publish(new Editors.PresenceChanged(resource.projectId(), resource.id()));
    }

    private void tellUnlocked(Editors.Resource resource) {
        tell(resource.projectId(), "RESOURCE_UNLOCKED", Json.object().put("resourceId", resource.id()));
    }

    private void tell(String projectId, String event, JsonNode payload) {
        bus.publish(new ChannelBroadcast(projectId, event, payload));
    }

    private void tellMembers(ChannelBroadcast broadcast) {
        bus.publish(ChannelBroadcast.addressOf(broadcast.projectId()), broadcast);
    }

    private void tellPresence(Editors.PresenceChanged changed) {
        Supplier<Future<?>> telling = () -> database.read(
                        tx -> store.present(tx, changed.projectId(), changed.resourceId()))
                .onSuccess(people -> {
                    var payload = Json.object().put("resourceId", changed.resourceId());
                    payload.set("users", people);
                    tellMembers(new ChannelBroadcast(changed.projectId(), "PRESENCE_UPDATED", payload));
                })
                .onFailure(cause -> LOG.warn("cannot publish the editors of a resource: {}", cause.getMessage()));
        told = told.transform(_ -> telling.get());
    }
}
