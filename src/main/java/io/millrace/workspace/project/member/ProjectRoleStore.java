package io.millrace.workspace.project.member;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.workspace.project.ProjectType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

final class ProjectRoleStore {
    /** The role is null for users who are not members. */
    private static final String FIND_ENTRANCE = """
            select p.platform_id, p.type, p.owner_id, r.id as role_id, r.created as role_created, r.updated as role_updated,
                   r.name as role_name, r.permissions as role_permissions, r.platform_id as role_platform_id
              from project p
              left join project_member m on m.project_id = p.id and m.user_id = $2
              left join project_role r on r.id = m.project_role_id
             where p.id = $1
               and p.deleted is null
            """;

    private record Entrance(String platformId, ProjectType type, String ownerId, Optional<ProjectRole> role) {}

    private static final RowMapper<Entrance> ENTRANCES = RowMapper.of(Entrance.class, FIND_ENTRANCE);

    private static final String SELECT = """
            select r.id, r.created, r.updated, r.name, r.permissions, r.platform_id
              from project_role r
            """;

    private static final RowMapper<ProjectRole> ROLES = RowMapper.of(ProjectRole.class, SELECT);

    /** There are few roles; their holders are counted on the caller's platform only. */
    private static final String VISIBLE = """
            select r.id, r.created, r.updated, r.name, r.permissions, r.platform_id,
                   (select count(distinct m.user_id)::integer
                      from project_member m
                     where m.project_role_id = r.id
                       and m.platform_id = $1) as user_count
              from project_role r
             where (r.platform_id is null or r.platform_id = $1)
            """;

    private static final RowMapper<RoleView> VIEWS = RowMapper.of(RoleView.class, VISIBLE);

    private static final String ALL = VISIBLE + " order by r.type desc, r.created, r.id";

    private static final String ONE = VISIBLE + " and r.id = $2";

    private static final String DEFAULTS = SELECT + " where r.type = 'DEFAULT'";

    private static final String CUSTOM_TO_CHANGE = SELECT + " where r.platform_id = $1 and r.id = $2 for update";

    private static final String CUSTOM_BY_NAME = SELECT + " where r.platform_id = $1 and r.name = $2 for update";

    private static final String BY_NAME = SELECT + """
             where (r.platform_id is null or r.platform_id = $1)
               and lower(r.name) = lower($2)
            """;

    private static final String IS_NAME_TAKEN = """
            select exists (select
                             from project_role
                            where (platform_id is null or platform_id = $1)
                              and lower(name) = lower($2)
                              and id <> $3) as taken
            """;

    private static final String INSERT = """
            insert into project_role (id, created, updated, name, permissions, platform_id, type)
            values ($1, $2, $2, $3, $4, $5, 'CUSTOM')
            """;

    private static final String UPDATE = """
            update project_role set updated = $2, name = $3, permissions = $4 where id = $1
            """;

    private static final String DELETE = "delete from project_role where id = $1";

    Future<Optional<ProjectAccess>> findEntrance(
            Tx tx, String projectId, String userId, List<ProjectRole> defaultRoles) {
        return tx.query(FIND_ENTRANCE, projectId, userId)
                .map(rows -> ENTRANCES
                        .first(rows)
                        .map(found -> new ProjectAccess(
                                found.platformId(), found.type(), found.ownerId(), defaultRoles, found.role())));
    }

    Future<List<ProjectRole>> defaultRoles(Tx tx) {
        return tx.query(DEFAULTS).map(ROLES::all);
    }

    Future<List<RoleView>> roles(Tx tx, String platformId) {
        return tx.query(ALL, platformId).map(VIEWS::all);
    }

    Future<Optional<RoleView>> role(Tx tx, String platformId, String roleId) {
        return tx.query(ONE, platformId, roleId).map(VIEWS::first);
    }

    /** Locks the row against lost updates. */
    Future<Optional<ProjectRole>> customRoleToChange(Tx tx, String platformId, String roleId) {
        return tx.query(CUSTOM_TO_CHANGE, platformId, roleId).map(ROLES::first);
    }

    Future<Optional<ProjectRole>> customRoleByName(Tx tx, String platformId, String name) {
        return tx.query(CUSTOM_BY_NAME, platformId, name).map(ROLES::first);
    }

    /** A default role or one of the platform, by its name without regard to case. */
    Future<Optional<ProjectRole>> roleByName(Tx tx, String platformId, String name) {
        return tx.query(BY_NAME, platformId, name).map(ROLES::first);
    }

    Future<Boolean> isNameTaken(Tx tx, ProjectRole role) {
        return tx.query(IS_NAME_TAKEN, role.platformId(), role.name(), role.id())
                .map(rows -> Rows.flag(rows.iterator().next(), "taken"));
    }

    Future<Void> insert(Tx tx, ProjectRole role) {
        return tx.query(
                        INSERT,
                        role.id(),
                        role.created(),
                        role.name(),
                        Values.texts(role.permissions()),
                        role.platformId())
                .mapEmpty();
    }

    Future<Void> update(Tx tx, ProjectRole role) {
        return tx.query(UPDATE, role.id(), role.updated(), role.name(), Values.texts(role.permissions()))
                .mapEmpty();
    }

    Future<Void> delete(Tx tx, String roleId) {
        return tx.query(DELETE, roleId).mapEmpty();
    }
}
