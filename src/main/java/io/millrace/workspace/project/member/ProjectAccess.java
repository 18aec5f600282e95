package io.millrace.workspace.project.member;

import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.workspace.project.ProjectType;
import java.util.List;
import java.util.Optional;

/**
 * Data for the access decision of a project.
 *
 * @param defaultRoles Admin, Editor and Viewer
 * @param memberRole role of the calling user, when a member
 */
record ProjectAccess(
        String platformId,
        ProjectType type,
        String ownerId,
        List<ProjectRole> defaultRoles,
        Optional<ProjectRole> memberRole) {

    /**
     * The role that a user of the same platform holds here (contract admin-api 1.10); empty: no access. An operator is an
     * editor everywhere, and may edit the projects themselves (seed, Authentication 4).
     */
    Optional<ProjectRole> roleOf(Principal.SignedInUser user) {
        var isOwnPersonal = type == ProjectType.PERSONAL && ownerId.equals(user.id());
        return switch (user.role()) {
            case ADMIN -> defaultRole(ProjectRole.ADMIN);
            case OPERATOR -> {
                if (isOwnPersonal) {
                    yield defaultRole(ProjectRole.ADMIN);
                }
                yield type == ProjectType.TEAM
                        ? defaultRole(ProjectRole.EDITOR).map(editor -> editor.and(Permission.WRITE_PROJECT))
                        : Optional.empty();
            }
            case MEMBER -> {
                if (isOwnPersonal) {
                    yield defaultRole(ProjectRole.ADMIN);
                }
                yield type == ProjectType.TEAM ? memberRole : Optional.empty();
            }
        };
    }

    private Optional<ProjectRole> defaultRole(String name) {
        return defaultRoles.stream().filter(role -> role.name().equals(name)).findFirst();
    }
}
