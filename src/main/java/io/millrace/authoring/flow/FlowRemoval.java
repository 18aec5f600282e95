package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.persistence.Database;
import io.millrace.piece.file.FlowFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes flows that were marked for deletion; tries again until it has worked, over restarts too (3.5). */
final class FlowRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FlowRemoval.class);

    private static final long FIRST_PAUSE_MS = 5_000;
    private static final long PAUSE_MS_MAX = 600_000;

    private final Database database;
    private final FlowStore store;
    private final VersionStore versions = new VersionStore();
    private final FlowFiles files;
    private final TriggerSwitch triggers;

    FlowRemoval(Database database, FlowStore store, FlowFiles files, TriggerSwitch triggers) {
        this.database = database;
        this.store = store;
        this.files = files;
        this.triggers = triggers;
    }

    /** Goes on with what an earlier process left. */
    void resume() {
        database.read(store::findDeleting)
                .onSuccess(flowIds -> flowIds.forEach(this::remove))
                .onFailure(cause -> LOG.warn("flows that are to be deleted cannot be read: {}", cause.getMessage()));
    }

    void remove(String flowId) {
        remove(flowId, FIRST_PAUSE_MS);
    }

    private void remove(String flowId, long pauseMs) {
        switchOff(flowId)
                .compose(_ -> database.inTransaction(
                        tx -> files.removeOfFlow(tx, flowId).compose(_ -> store.delete(tx, flowId))))
                .onFailure(cause -> {
                    LOG.warn("flow {} could not be deleted, trying again: {}", flowId, cause.getMessage());
                    Vertx.currentContext()
                            .owner()
                            .setTimer(pauseMs, _ -> remove(flowId, Math.min(PAUSE_MS_MAX, pauseMs * 2)));
                });
    }

    /** Lets the trigger of an enabled flow end what it began outside; its failure keeps nothing here (18.4). */
    private Future<Void> switchOff(String flowId) {
        return database.read(tx -> store.findDeleted(tx, flowId)
                        .compose(found -> found.filter(flow -> flow.status() == FlowStatus.ENABLED)
                                .map(flow -> versions.find(tx, flow.publishedVersionId())
                                        .map(version -> version.map(
                                                published -> new TriggerSwitch.Turn(flow, published, false))))
                                .orElse(Future.succeededFuture(Optional.empty()))))
                .compose(turn -> turn.map(running -> triggers.disable(running).otherwiseEmpty())
                        .orElse(Future.succeededFuture()));
    }
}
