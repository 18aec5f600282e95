package io.millrace.project;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;
import java.util.Optional;

/** What one may ask of the people in projects. Answered by {@link ProjectRoleService}. */
public sealed interface ProjectMembers {
    /** The members of a project, newest first. */
    record ListOf(String projectId, Optional<String> roleId, PageRequest page)
            implements ProjectMembers, Request<Page<ProjectMember>> {}

    /** Whoever holds a role in some project of the principal's platform, newest first. */
    record ListHolders(Principal by, String roleId, PageRequest page)
            implements ProjectMembers, Request<Page<ProjectMember>> {}

    /** The project of a member; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String memberId) implements ProjectMembers, Request<String> {}

    /** Gives a member another role, by the role's name. */
    record ChangeRole(String memberId, String roleName) implements ProjectMembers, Request<ProjectMember> {}

    /** Takes somebody out of a project. */
    record Remove(String memberId) implements ProjectMembers, Request<Nothing> {}
}
