package io.millrace.workspace.project;

import io.millrace.base.access.Permission;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.persistence.statement.WhereClause;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

final class ProjectStore {
    private static final String INSERT = """
            insert into project (id, created, updated, platform_id, owner_id, display_name, type, icon_color,
                                 external_id, releases_enabled, max_concurrent_jobs, metadata)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """;

    private static final String INSERT_PLAN = """
            insert into project_plan (id, created, updated, project_id, locked, name, pieces_filter_type, pieces)
            values ($1, $2, $2, $3, $4, $5, $6, $7)
            """;

    private static final String UPDATE = """
            update project
               set updated = $2, display_name = $3, icon_color = $4, external_id = $5, releases_enabled = $6,
                   max_concurrent_jobs = $7, metadata = $8, flow_tests_required = $9
             where id = $1
            """;

    private static final String UPDATE_PLAN = """
            update project_plan set updated = $2, pieces_filter_type = $3, pieces = $4 where id = $1
            """;

    private static final String SELECT = """
            select p.id, p.created, p.updated, p.platform_id, p.owner_id, p.display_name, p.type, p.icon_color as icon,
                   p.external_id, p.releases_enabled, p.max_concurrent_jobs, p.metadata::text as metadata, p.pool_id,
                   p.flow_tests_required,
                   l.id as plan_id, l.created as plan_created, l.updated as plan_updated, l.locked as plan_locked,
                   l.name as plan_name, l.pieces_filter_type as plan_pieces_filter_type,
                   l.pieces as plan_pieces
              from project p
              join project_plan l on l.project_id = p.id
             where p.deleted is null
            """;

    private static final RowMapper<Project> PROJECTS = RowMapper.of(Project.class, SELECT);

    private static final String FIND = SELECT + " and p.id = $1";

    private static final String FIND_TO_CHANGE = FIND + " for update";

    private static final String FIND_BY_EXTERNAL_ID = SELECT + """
               and p.platform_id = $1 and p.external_id = $2
               for update
            """;

    private static final String OWN_OR_MEMBER = """
            case p.type
               when 'PERSONAL' then p.owner_id = %1$s
               else exists (select from project_member m where m.project_id = p.id and m.user_id = %1$s)
            end
            """;

    private static final String OF_EXTERNAL_USER = """
            exists (select
                      from platform_user u
                     where u.platform_id = p.platform_id
                       and u.external_id = %s
                       and (u.id = p.owner_id
                            or exists (select
                                         from project_member m
                                        where m.project_id = p.id
                                          and m.user_id = u.id)))
            """;

    private static final String COUNT_USERS = """
            select m.project_id, count(*)::int as total, (count(*) filter (where u.status = 'ACTIVE'))::int as active
              from project_member m
              join platform_user u on u.id = m.user_id
             where m.project_id = any ($1)
             group by m.project_id
            """;

    private static final String TEAMS = SELECT + """
               and p.platform_id = $1
               and p.type = 'TEAM'
               and ($2::text is null or lower(p.display_name) = lower($2))
               and ($3::text is null or p.external_id = $3)
             order by p.created, p.id offset $4 limit $5
            """;

    private static final String COUNT_TEAMS = """
            select count(*)
              from project p
             where p.deleted is null
               and p.platform_id = $1
               and p.type = 'TEAM'
               and ($2::text is null or lower(p.display_name) = lower($2))
               and ($3::text is null or p.external_id = $3)
            """;

    private static final String MARK_DELETED = """
            update project set deleted = $2, updated = $2 where id = $1
            """;

    /** Replaces the owner, who is leaving: a project needs an owner until its rows are removed. */
    private static final String RETIRE = """
            update project
               set deleted = $2, updated = $2,
                   owner_id = (select owner_id from platform where platform.id = project.platform_id)
             where owner_id = $1
               and type = 'PERSONAL'
               and deleted is null
            returning id
            """;

    /**
     * Counts the owner of a personal project as its Admin. That rule is separate from the rule that forbids invitations to
     * it.
     */
    private static final String HOLDS = """
            select exists (select
                             from project_member m
                             join project_role r on r.id = m.project_role_id
                             join project p on p.id = m.project_id
                            where m.user_id = $1
                              and p.deleted is null
                              and $2 = any (r.permissions))
                or exists (select
                             from project p
                             join project_role r on r.type = 'DEFAULT' and r.name = 'Admin'
                            where p.owner_id = $1
                              and p.type = 'PERSONAL'
                              and p.deleted is null
                              and $2 = any (r.permissions)) as held
            """;

    private static final String FIND_PLATFORM = "select platform_id from project where id = $1 and deleted is null";

    private static final String FIND_CONCURRENCY = """
            select p.pool_id, coalesce(c.max_concurrent_jobs, p.max_concurrent_jobs) as limit
              from project p
              left join concurrency_pool c on c.id = p.pool_id
             where p.id = $1 and p.deleted is null
            """;

    private static final RowMapper<Concurrency> CONCURRENCIES = RowMapper.of(Concurrency.class, FIND_CONCURRENCY);

    private static final String FIND_DELETED = """
            select id from project where deleted is not null order by deleted limit 1000
            """;

    private static final String REMOVE = """
            delete from project where id = $1 and deleted is not null
            """;

    record UserCount(String projectId, int total, int active) {}

    private static final RowMapper<UserCount> USER_COUNTS = RowMapper.of(UserCount.class, COUNT_USERS);

    Future<Void> insert(Tx tx, Project project) {
        return tx.query(
                        INSERT,
                        project.id(),
                        project.created(),
                        project.platformId(),
                        project.ownerId(),
                        project.displayName(),
                        project.type(),
                        project.icon(),
                        project.externalId(),
                        project.releasesEnabled(),
                        project.maxConcurrentJobs(),
                        project.metadata())
                .compose(_ -> insertPlan(tx, project.id(), project.plan()));
    }

    private static Future<Void> insertPlan(Tx tx, String projectId, ProjectPlan plan) {
        return tx.query(
                        INSERT_PLAN,
                        plan.id(),
                        plan.created(),
                        projectId,
                        plan.locked(),
                        plan.name(),
                        plan.piecesFilterType(),
                        Values.texts(plan.pieces()))
                .mapEmpty();
    }

    /** Marks the personal projects of a leaving user as deleted; returns their ids. */
    Future<List<String>> retire(Tx tx, String ownerId, Instant now) {
        return tx.query(RETIRE, ownerId, now).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    /** True when the user's role in any project has the permission. */
    Future<Boolean> holds(Tx tx, String userId, Permission permission) {
        return tx.query(HOLDS, userId, permission)
                .map(rows -> Rows.flag(rows.iterator().next(), "held"));
    }

    Future<Void> update(Tx tx, Project project) {
        return tx.query(
                        UPDATE,
                        project.id(),
                        project.updated(),
                        project.displayName(),
                        project.icon(),
                        project.externalId(),
                        project.releasesEnabled(),
                        project.maxConcurrentJobs(),
                        project.metadata(),
                        project.flowTestsRequired())
                .mapEmpty();
    }

    Future<Void> updatePlan(Tx tx, ProjectPlan plan) {
        return tx.query(UPDATE_PLAN, plan.id(), plan.updated(), plan.piecesFilterType(), Values.texts(plan.pieces()))
                .mapEmpty();
    }

    Future<Optional<Project>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(PROJECTS::first);
    }

    Future<Optional<String>> findPlatform(Tx tx, String id) {
        return tx.query(FIND_PLATFORM, id).map(rows -> Rows.first(rows, row -> Rows.text(row, "platform_id")));
    }

    Future<Optional<Concurrency>> findConcurrency(Tx tx, String id) {
        return tx.query(FIND_CONCURRENCY, id).map(CONCURRENCIES::first);
    }

    /** Locks the rows against lost updates. */
    Future<Optional<Project>> findToChange(Tx tx, String id) {
        return tx.query(FIND_TO_CHANGE, id).map(PROJECTS::first);
    }

    /** Locks the rows, as before every change. */
    Future<Optional<Project>> findByExternalId(Tx tx, String platformId, String externalId) {
        return tx.query(FIND_BY_EXTERNAL_ID, platformId, externalId).map(PROJECTS::first);
    }

    Future<Optional<Project>> findFirstVisible(Tx tx, Viewer viewer) {
        var conditions = visible(viewer);
        return tx.query(conditions.sql() + " order by p.type, p.created, p.id limit 1", conditions.values())
                .map(PROJECTS::first);
    }

    private static WhereClause visible(Viewer viewer) {
        var conditions = new WhereClause(SELECT).and("p.platform_id = %s", viewer.platformId());
        if (viewer.seesAll()) {
            return conditions;
        }
        return viewer.seesTeams()
                ? conditions.and("(p.type = 'TEAM' or p.owner_id = %s)", viewer.userId())
                : conditions.and(OWN_OR_MEMBER, viewer.userId());
    }

    Future<List<Project>> teams(Tx tx, TeamMatch match, int offset, int limit) {
        return tx.query(TEAMS, match.platformId(), match.displayName(), match.externalId(), offset, limit)
                .map(PROJECTS::all);
    }

    Future<Integer> countTeams(Tx tx, TeamMatch match) {
        return tx.query(COUNT_TEAMS, match.platformId(), match.displayName(), match.externalId())
                .map(rows -> Math.toIntExact(Rows.whole(rows.iterator().next(), "count")));
    }

    Future<Page<Project>> page(Tx tx, Viewer viewer, ProjectFilter filter, PageRequest ask) {
        var conditions = visible(viewer)
                .and("p.external_id = %s", filter.externalId())
                .and("strpos(lower(p.display_name), lower(%s)) > 0", filter.displayName())
                .andAny(
                        "p.type %s",
                        filter.types().stream().map(ProjectType::name).toList())
                .and(OF_EXTERNAL_USER, filter.externalUserId());
        return tx.page(
                conditions.sql(),
                Paging.oldestFirst().on("p.created", "p.id"),
                ask,
                PROJECTS,
                project -> new PageKey(project.created(), project.id()),
                conditions.values());
    }

    /** Members by project id; a project without members is left out. */
    Future<Map<String, UserCount>> countUsers(Tx tx, List<String> projectIds) {
        return tx.query(COUNT_USERS, (Object) Values.texts(projectIds))
                .map(rows -> USER_COUNTS.all(rows).stream()
                        .collect(Collectors.toMap(UserCount::projectId, Function.identity())));
    }

    Future<Void> markDeleted(Tx tx, String id, Instant now) {
        return tx.query(MARK_DELETED, id, now).mapEmpty();
    }

    Future<List<String>> findDeleted(Tx tx) {
        return tx.query(FIND_DELETED).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Void> remove(Tx tx, String id) {
        return tx.query(REMOVE, id).mapEmpty();
    }
}
