package io.millrace.workspace.project.member;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code project_member}. Reads the users of the identity module below and never writes them. */
final class ProjectMemberStore {
    private static final String SELECT = """
            select m.id, m.created, m.updated, m.platform_id, m.project_id, p.display_name as project_name,
                   u.id as user_id, u.created as user_created, u.updated as user_updated,
                   u.identity_id as user_identity_id, m.platform_id as user_platform_id, u.platform_role as user_role,
                   u.status as user_status, u.external_id as user_external_id,
                   u.last_active_date as user_last_active_date, i.email as user_email, i.first_name as user_first_name,
                   i.last_name as user_last_name, i.image_url as user_image_url, r.id as role_id, r.created as role_created,
                   r.updated as role_updated, r.name as role_name, r.permissions as role_permissions,
                   r.platform_id as role_platform_id
              from project_member m
              join project p on p.id = m.project_id and p.deleted is null
              join platform_user u on u.id = m.user_id
              join user_identity i on i.id = u.identity_id
              join project_role r on r.id = m.project_role_id
            """;

    private static final RowMapper<ProjectMember> MEMBERS = RowMapper.of(ProjectMember.class, SELECT);

    private static final String FIND = SELECT + " where m.id = $1";

    private static final String OF_PROJECT = SELECT + """
             where m.project_id = $1
               and ($2::text is null or m.project_role_id = $2)
            """;

    private static final String OF_ROLE = SELECT + " where m.platform_id = $1 and m.project_role_id = $2";

    /** Of team projects for operators, and of projects in which the user may read members. */
    private static final String OF_ROLE_SEEN_BY = OF_ROLE + """
               and (($4 and p.type = 'TEAM')
                    or exists (select
                                 from project_member o
                                 join project_role held on held.id = o.project_role_id
                                where o.project_id = m.project_id
                                  and o.user_id = $3
                                  and 'READ_PROJECT_MEMBER' = any (held.permissions)))
            """;

    private static final String CHANGE_ROLE = """
            update project_member set project_role_id = $2, updated = $3 where id = $1
            """;

    private static final String JOIN = """
            insert into project_member (id, created, updated, platform_id, project_id, user_id, project_role_id)
            values ($1, $2, $2, $3, $4, $5, $6)
            on conflict (project_id, user_id, platform_id)
            do update set project_role_id = excluded.project_role_id, updated = excluded.updated
            """;

    private static final String JOIN_NEW = """
            insert into project_member (id, created, updated, platform_id, project_id, user_id, project_role_id)
            select w.id, $1, $1, $2, $3, u.id, $4
              from unnest($5::text[], $6::text[]) as w (id, user_id)
              join platform_user u on u.id = w.user_id and u.platform_id = $2
            on conflict (project_id, user_id, platform_id) do nothing
            """;

    private static final String LEAVE = "delete from project_member where project_id = $1 and user_id = any ($2)";

    private static final String PEOPLE = """
            select m.project_id, m.user_id, i.email
              from project_member m
              join platform_user u on u.id = m.user_id
              join user_identity i on i.id = u.identity_id
             where m.project_id = any ($1)
             order by m.created, m.id
            """;

    private static final RowMapper<ProjectPeople.Member> PEOPLE_ROWS = RowMapper.of(ProjectPeople.Member.class, PEOPLE);

    private static final String TEAMS_OF = """
            select m.user_id, p.id as project_id, p.display_name
              from project_member m
              join project p on p.id = m.project_id and p.deleted is null and p.type = 'TEAM'
             where m.user_id = any ($1)
             order by m.created, m.id
            """;

    private static final RowMapper<ProjectPeople.Team> TEAMS = RowMapper.of(ProjectPeople.Team.class, TEAMS_OF);

    private static final String COUNT_KNOWN = """
            select count(*) from platform_user where platform_id = $1 and id = any ($2)
            """;

    private static final String DELETE = "delete from project_member where id = $1";

    Future<Optional<ProjectMember>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(MEMBERS::first);
    }

    Future<Page<ProjectMember>> ofProject(Tx tx, String projectId, Optional<String> roleId, PageRequest page) {
        return page(tx, OF_PROJECT, page, projectId, roleId);
    }

    Future<Page<ProjectMember>> ofRole(Tx tx, String platformId, String roleId, PageRequest page) {
        return page(tx, OF_ROLE, page, platformId, roleId);
    }

    /** As {@link #ofRole}, but only members that the user may read in their projects. */
    Future<Page<ProjectMember>> ofRoleSeenBy(Tx tx, Principal.SignedInUser user, String roleId, PageRequest page) {
        return page(
                tx, OF_ROLE_SEEN_BY, page, user.platformId(), roleId, user.id(), user.role() == PlatformRole.OPERATOR);
    }

    private static Future<Page<ProjectMember>> page(Tx tx, String select, PageRequest page, Object... values) {
        return tx.page(
                select,
                Paging.newestFirst().on("m.created", "m.id"),
                page,
                MEMBERS,
                member -> new PageKey(member.created(), member.id()),
                values);
    }

    Future<Boolean> isMember(Tx tx, String projectId, String userId) {
        return tx.query("select from project_member where project_id = $1 and user_id = $2", projectId, userId)
                .map(rows -> rows.size() > 0);
    }

    Future<Void> changeRole(Tx tx, String id, String roleId, Instant now) {
        return tx.query(CHANGE_ROLE, id, roleId, now).mapEmpty();
    }

    Future<Void> join(
            Tx tx, String id, Instant now, String platformId, String projectId, String userId, String roleId) {
        return tx.query(JOIN, id, now, platformId, projectId, userId, roleId).mapEmpty();
    }

    /** An existing member keeps the present role. */
    Future<Void> joinNew(
            Tx tx,
            List<String> ids,
            Instant now,
            String platformId,
            String projectId,
            List<String> userIds,
            String roleId) {
        return tx.query(JOIN_NEW, now, platformId, projectId, roleId, Values.texts(ids), Values.texts(userIds))
                .mapEmpty();
    }

    Future<Void> leave(Tx tx, String projectId, List<String> userIds) {
        return tx.query(LEAVE, projectId, Values.texts(userIds)).mapEmpty();
    }

    Future<List<ProjectPeople.Member>> people(Tx tx, List<String> projectIds) {
        return tx.query(PEOPLE, (Object) Values.texts(projectIds)).map(PEOPLE_ROWS::all);
    }

    Future<List<ProjectPeople.Team>> teamsOf(Tx tx, List<String> userIds) {
        return tx.query(TEAMS_OF, (Object) Values.texts(userIds)).map(TEAMS::all);
    }

    Future<Long> countKnown(Tx tx, String platformId, List<String> userIds) {
        return tx.query(COUNT_KNOWN, platformId, Values.texts(userIds))
                .map(rows -> Rows.whole(rows.iterator().next(), "count"));
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }
}
