package io.millrace.workspace.project;

import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes deleted projects in the background (contract admin-api 3.5), one transaction per project. No caller waits: a
 * project that is marked deleted is invisible already, and a failed removal is retried at the next start.
 */
final class ProjectRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectRemoval.class);

    private final Database database;
    private final ProjectStore store;

    ProjectRemoval(Database database, ProjectStore store) {
        this.database = database;
        this.store = store;
    }

    /** Removes deleted projects that an earlier process left. */
    void resume() {
        database.read(store::findDeleted)
                .compose(this::removeAll)
                .onFailure(failure -> LOG.warn("cannot read the deleted projects", failure));
    }

    /** Removes one project. */
    void start(String projectId) {
        removeAll(List.of(projectId)).onFailure(failure -> LOG.warn("cannot delete project {}", projectId, failure));
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
        return database.inTransaction(tx -> store.remove(tx, projectId)).recover(failure -> {
            LOG.warn("cannot remove the data of deleted project {} before the next start", projectId, failure);
            return Future.succeededFuture();
        });
    }
}
