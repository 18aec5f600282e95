package io.millrace.flow;

import io.millrace.persistence.Database;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes flows that were marked for deletion; tries again until it has worked, over restarts too (3.5). */
final class FlowRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FlowRemoval.class);

    private static final long FIRST_PAUSE_MS = 5_000;
    private static final long PAUSE_MS_MAX = 600_000;

    private final Database database;
    private final FlowStore store;

    FlowRemoval(Database database, FlowStore store) {
        this.database = database;
        this.store = store;
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
        database.inTransaction(tx -> store.delete(tx, flowId)).onFailure(cause -> {
            LOG.warn("flow {} could not be deleted, trying again: {}", flowId, cause.getMessage());
            Vertx.currentContext().owner().setTimer(pauseMs, _ -> remove(flowId, Math.min(PAUSE_MS_MAX, pauseMs * 2)));
        });
    }
}
