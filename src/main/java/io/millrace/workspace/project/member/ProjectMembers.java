package io.millrace.workspace.project.member;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.Optional;

/** Requests about members of projects. Answered by {@link ProjectRoleService}. */
public sealed interface ProjectMembers {
    /** The members of a project, newest first. */
    record ListOf(String projectId, Optional<String> roleId, PageRequest page)
            implements ProjectMembers, BusRequest<Page<ProjectMember>> {}

    /**
     * Holders of a role in the projects of the principal's platform, newest first. Those who do not administer the platform
     * receive members of projects in which they may read members.
     */
    record ListHolders(Principal by, String roleId, PageRequest page)
            implements ProjectMembers, BusRequest<Page<ProjectMember>> {}

    /** The project of a member; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String memberId) implements ProjectMembers, BusRequest<String> {}

    /** Changes the role of a member, by the role's name. Refuses a role with a permission that the principal lacks. */
    record ChangeRole(Principal by, String memberId, String roleName)
            implements ProjectMembers, BusRequest<ProjectMember> {}

    record Remove(String memberId) implements ProjectMembers, BusRequest<Nothing> {}
}
