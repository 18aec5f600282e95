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

    record Find(Principal by, String roleId) implements ProjectRoles, BusRequest<RoleView> {}

    record Create(Principal by, String name, Set<Permission> permissions)
            implements ProjectRoles, BusRequest<RoleView> {
        public Create {
            permissions = Set.copyOf(permissions);
        }
    }

    record Update(Principal by, String roleId, Optional<String> name, Optional<Set<Permission>> permissions)
            implements ProjectRoles, BusRequest<RoleView> {}

    record Delete(Principal by, String name) implements ProjectRoles, BusRequest<Nothing> {}

    record HeldBy(Principal.SignedInUser user, String projectId) implements ProjectRoles, BusRequest<ProjectRole> {}

    enum Deed {
        CREATED,
        UPDATED,
        DELETED
    }

    record Changed(Principal by, ProjectRole role, Deed deed) implements ProjectRoles, Notice {}
}
