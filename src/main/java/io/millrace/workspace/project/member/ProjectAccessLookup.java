package io.millrace.workspace.project.member;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Loads the data for an access decision of a project. The default roles are immutable and written by the migration: they are
 * read once and cached, on the event loop of the calling endpoint.
 */
final class ProjectAccessLookup {
    private final ProjectRoleStore store;
    private List<ProjectRole> defaultRoles = List.of();

    ProjectAccessLookup(ProjectRoleStore store) {
        this.store = store;
    }

    Future<Optional<ProjectAccess>> find(Tx tx, String projectId, String userId) {
        return defaultRoles(tx).compose(roles -> store.findEntrance(tx, projectId, userId, roles));
    }

    private Future<List<ProjectRole>> defaultRoles(Tx tx) {
        return defaultRoles.isEmpty()
                ? store.defaultRoles(tx).onSuccess(found -> defaultRoles = found)
                : Future.succeededFuture(defaultRoles);
    }
}
