package io.millrace.workspace.project.member;

import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Requests about roles in projects. Answered by {@link ProjectRoleService}. */
public sealed interface ProjectRoles {
    /** The default roles and those of the principal's platform. */
    record ListAll(Principal by) implements ProjectRoles, BusRequest<List<RoleView>> {}

    /** A default role, or one of the principal's platform. */
    record Find(Principal by, String roleId) implements ProjectRoles, BusRequest<RoleView> {}

    /** Makes a role of the principal's platform. */
    record Create(Principal by, String name, Set<Permission> permissions)
            implements ProjectRoles, BusRequest<RoleView> {
        public Create {
            permissions = Set.copyOf(permissions);
        }
    }

    /** Changes a role of the principal's platform. */
    record Update(Principal by, String roleId, Optional<String> name, Optional<Set<Permission>> permissions)
            implements ProjectRoles, BusRequest<RoleView> {}

    /** Deletes the role of the principal's platform that has this name. */
    record Delete(Principal by, String name) implements ProjectRoles, BusRequest<Nothing> {}

    /** The role that a user holds in a project. */
    record HeldBy(Principal.SignedInUser user, String projectId) implements ProjectRoles, BusRequest<ProjectRole> {}

    /** Kind of change of a platform's role. */
    enum Deed {
        CREATED,
        UPDATED,
        DELETED
    }

    /** A role of a platform was made, changed or deleted. */
    record Changed(Principal by, ProjectRole role, Deed deed) implements ProjectRoles, Notice {}
}
