package io.millrace.workspace.project.member;

import io.millrace.base.access.Permission;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.workspace.project.ProjectType;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds users by the permissions of their present roles, for modules above, in the transactions of those. */
public final class PermissionHolders {
    private static final String ACTIVE = """
            select u.id as user_id, u.platform_id, u.platform_role, p.type, p.owner_id, r.id as role_id,
                   r.created as role_created, r.updated as role_updated, r.name as role_name,
                   r.permissions as role_permissions, r.platform_id as role_platform_id
              from project p
              join platform_user u on u.platform_id = p.platform_id and u.id = any ($2) and u.status = 'ACTIVE'
              left join project_member m on m.project_id = p.id and m.user_id = u.id
              left join project_role r on r.id = m.project_role_id
             where p.id = $1
               and p.deleted is null
            """;

    private static final RowMapper<ActiveUser> USERS = RowMapper.of(ActiveUser.class, ACTIVE);

    private record ActiveUser(
            String userId,
            String platformId,
            PlatformRole platformRole,
            ProjectType type,
            String ownerId,
            Optional<ProjectRole> role) {
        boolean holds(Set<Permission> permissions, List<ProjectRole> defaultRoles) {
            return new ProjectAccess(platformId, type, ownerId, defaultRoles, role)
                    .roleOf(new Principal.SignedInUser(userId, platformId, platformRole))
                    .filter(held -> permissions.stream().allMatch(held::allows))
                    .isPresent();
        }
    }

    private final ProjectRoleStore roles = new ProjectRoleStore();

    /** The users among the given ones who are active and hold all of the permissions in the project. */
    public Future<Set<String>> among(Tx tx, String projectId, Collection<String> userIds, Set<Permission> permissions) {
        return userIds.isEmpty()
                ? Future.succeededFuture(Set.of())
                : roles.defaultRoles(tx)
                        .compose(defaults -> tx.query(ACTIVE, projectId, Values.texts(userIds))
                                .map(rows -> USERS.all(rows).stream()
                                        .filter(user -> user.holds(permissions, defaults))
                                        .map(ActiveUser::userId)
                                        .collect(Collectors.toUnmodifiableSet())));
    }
}
