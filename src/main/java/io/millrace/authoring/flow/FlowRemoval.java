package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.Database;
import io.millrace.piece.file.FlowFiles;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes flows marked for deletion, with retries until it succeeds, also after restarts (3.5). Any process takes over
 * the flows of a dead one.
 */
final class FlowRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FlowRemoval.class);

    private static final long FIRST_LOOK_MS = 2_000;
    private static final long LOOK_EVERY_MS = 15_000;
    private static final long FIRST_PAUSE_MS = 5_000;
    private static final long PAUSE_MS_MAX = 600_000;

    private final Database database;
    private final FlowStore store;
    private final VersionStore versions = new VersionStore();
    private final FlowFiles files;
    private final TriggerSwitch triggers;

    /** Removals in progress in this process; used on one event loop only. */
    private final Set<String> underWay = new HashSet<>();

    FlowRemoval(Database database, FlowStore store, FlowFiles files, TriggerSwitch triggers) {
        this.database = database;
        this.store = store;
        this.files = files;
        this.triggers = triggers;
    }

    /** Resumes the removals of earlier processes, and periodically those of dead ones. */
    void watch() {
        // Hooks need the other modules, which open after this one.
        left(true)
                .onSuccess(flowIds ->
                        Vertx.currentContext().owner().setTimer(FIRST_LOOK_MS, _ -> flowIds.forEach(this::remove)));
        lookLater();
    }

    private void lookLater() {
        Vertx.currentContext()
                .owner()
                .setTimer(
                        LOOK_EVERY_MS,
                        _ -> left(false)
                                .onSuccess(flowIds -> flowIds.forEach(this::remove))
                                .onComplete(_ -> lookLater()));
    }

    private Future<List<String>> left(boolean all) {
        return database.read(tx -> store.findDeleting(tx, all))
                .onFailure(cause -> LOG.warn("cannot read the flows to delete, retrying: {}", cause.getMessage()));
    }

    void remove(String flowId) {
        if (underWay.add(flowId)) {
            remove(flowId, FIRST_PAUSE_MS);
        }
    }

    private void remove(String flowId, long pauseMs) {
        switchOff(flowId)
                .compose(_ -> database.inTransaction(
                        tx -> files.removeOfFlow(tx, flowId).compose(_ -> store.delete(tx, flowId))))
                .onSuccess(_ -> underWay.remove(flowId))
                .onFailure(cause -> {
                    LOG.warn("cannot delete flow {}, retrying: {}", flowId, cause.getMessage());
                    Vertx.currentContext()
                            .owner()
                            .setTimer(pauseMs, _ -> remove(flowId, Math.min(PAUSE_MS_MAX, pauseMs * 2)));
                });
    }

    /** Disables the triggers of a deleted project one after another; a failure of a hook does not stop the others. */
    Future<Nothing> disableTriggers(Projects.DisableTriggers ask) {
        return database.read(tx -> store.findEnabled(tx, ask.projectId()))
                .compose(flows -> {
                    var done = Future.<Void>succeededFuture();
                    for (var flow : flows) {
                        done = done.compose(_ -> switchOff(flow).otherwiseEmpty());
                    }
                    return done;
                })
                .compose(_ -> triggers.endSimulations(ask.projectId()))
                .map(Nothing.DONE);
    }

    private Future<Void> switchOff(String flowId) {
        return database.read(tx -> store.findDeleted(tx, flowId))
                .compose(found -> found.map(flow -> (flow.status() == FlowStatus.ENABLED
                                        ? switchOff(flow)
                                        : Future.<Void>succeededFuture())
                                .compose(_ -> triggers.endSimulation(flow)))
                        .orElse(Future.succeededFuture()));
    }

    /** Disables the trigger of an enabled flow; a failure of its hook does not stop the removal (18.4). */
    private Future<Void> switchOff(Flow flow) {
        return database.read(tx -> versions.find(tx, flow.publishedVersionId()))
                .compose(version -> version.map(
                                published -> triggers.disable(new TriggerSwitch.Turn(flow, published, false))
                                        .otherwiseEmpty())
                        .orElse(Future.succeededFuture()));
    }
}
