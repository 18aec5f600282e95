package io.millrace.workspace.project.member;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Finds what must be known before somebody enters a project. The default roles are the same everywhere and as the
 * migration wrote them: they are read once and kept, on the event loop of the endpoint that asks.
 */
final class ProjectAccessLookup {
    private final ProjectRoleStore store;
    private List<ProjectRole> defaultRoles = List.of();

    ProjectAccessLookup(ProjectRoleStore store) {
        this.store = store;
    }

    /** Empty when there is no such project. */
    Future<Optional<ProjectAccess>> find(Tx tx, String projectId, String userId) {
        return defaultRoles(tx).compose(roles -> store.findEntrance(tx, projectId, userId, roles));
    }

    private Future<List<ProjectRole>> defaultRoles(Tx tx) {
        return defaultRoles.isEmpty()
                ? store.defaultRoles(tx).onSuccess(found -> defaultRoles = found)
                : Future.succeededFuture(defaultRoles);
    }
}
