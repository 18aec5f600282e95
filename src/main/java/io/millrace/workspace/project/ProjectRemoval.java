package io.millrace.workspace.project;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes deleted projects in the background (contract admin-api 3.5), one transaction per project, after their triggers
 * were disabled, so that no other system keeps a subscription. No caller waits: a project that is marked deleted is
 * invisible already, and a failed removal is retried at the next start.
 */
final class ProjectRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectRemoval.class);

    private static final long FIRST_LOOK_MS = 2_000;
    private static final long TRIGGERS_DEADLINE_MS = 600_000;

    private final Bus bus;
    private final Database database;
    private final ProjectStore store;

    ProjectRemoval(Bus bus, Database database, ProjectStore store) {
        this.bus = bus;
        this.database = database;
        this.store = store;
    }

    /** Removes deleted projects that an earlier process left. */
    void resume() {
        database.read(store::findDeleted)
                .onSuccess(projectIds -> {
                    if (!projectIds.isEmpty()) {
                        // Hooks of triggers need the other modules, which open after this one.
                        Vertx.currentContext().owner().setTimer(FIRST_LOOK_MS, _ -> removeAll(projectIds));
                    }
                })
                .onFailure(failure -> LOG.warn("cannot read the deleted projects", failure));
    }

    void start(String projectId) {
        remove(projectId);
    }

    /** Sequentially, so that this background task does not exhaust the connection pool. */
    private Future<Void> removeAll(List<String> projectIds) {
        var done = Future.<Void>succeededFuture();
        for (var projectId : projectIds) {
            done = done.compose(_ -> remove(projectId));
        }
        return done;
    }

    /** Never fails, so that a failed removal does not block the other projects. */
    private Future<Void> remove(String projectId) {
        return disableTriggers(projectId)
                .compose(_ -> database.inTransaction(tx -> store.remove(tx, projectId)))
                .recover(failure -> {
                    LOG.warn("cannot remove the data of deleted project {} before the next start", projectId, failure);
                    return Future.succeededFuture();
                });
    }

    private Future<Void> disableTriggers(String projectId) {
        return bus.ask(new Projects.DisableTriggers(projectId), TRIGGERS_DEADLINE_MS)
                .<Void>mapEmpty()
                .recover(failure -> {
                    LOG.warn("cannot disable the triggers of deleted project {}: {}", projectId, failure.getMessage());
                    return Future.succeededFuture();
                });
    }
}
