package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

final class ProjectLinkStore {
    private static final String GIVE = """
            insert into global_connection_project (connection_id, project_id)
            select $1, p.project_id from unnest($2::text[]) as p (project_id)
            on conflict do nothing
            """;

    private static final String TAKE_FROM_OTHERS = """
            delete from global_connection_project where connection_id = $1 and project_id <> all ($2)
            """;

    private static final String GIVE_TO_PROJECT = """
            insert into global_connection_project (connection_id, project_id)
            select c.id, $2
              from app_connection c
             where c.platform_id = $1
               and c.scope = 'PLATFORM'
               and (c.external_id = any ($3) or ($4 and c.pre_select_for_new_projects))
            on conflict do nothing
            """;

    private static final String GAINS = """
            select exists (select
                             from app_connection c
                            where c.platform_id = $1
                              and c.scope = 'PLATFORM'
                              and c.external_id = any ($3)
                              and not exists (select
                                                from global_connection_project g
                                               where g.connection_id = c.id
                                                 and g.project_id = $2)) as gains
            """;

    private static final String TAKE_FROM_PROJECT = """
            delete from global_connection_project g
             using app_connection c
             where c.id = g.connection_id
               and g.project_id = $1
               and c.external_id <> all ($2)
            """;

    private static final String PRESENT = """
            select id from project where platform_id = $1 and id = any ($2) and deleted is null
            """;

    private static final String PLATFORM_OF = """
            select platform_id from project where id = $1 and deleted is null
            """;

    private static final String DESCRIBE = """
            select id, json_build_object('id', id, 'displayName', display_name, 'type', type)::text as described
              from project
             where id = any ($1)
            """;

    private static final RowMapper<DescriptionRow> DESCRIBED = RowMapper.of(DescriptionRow.class, DESCRIBE);

    private record DescriptionRow(String id, JsonNode described) {}

    private static final String OWNERS_IN_PROJECT = """
            select json_build_object('firstName', i.first_name, 'lastName', i.last_name, 'email', i.email)::text as person
              from project p
              join platform_user u on u.platform_id = p.platform_id
              join user_identity i on i.id = u.identity_id
             where p.id = $1
               and (u.platform_role = 'ADMIN'
                    or u.id = p.owner_id
                    or exists (select from project_member m where m.project_id = p.id and m.user_id = u.id))
             order by i.email
             limit 1000
            """;

    private static final String OWNERS_ON_PLATFORM = """
            select json_build_object('id', u.id, 'firstName', i.first_name, 'lastName', i.last_name,
                                     'email', i.email)::text as person
              from platform_user u
              join user_identity i on i.id = u.identity_id
             where u.platform_id = $1
               and exists (select from app_connection c where c.platform_id = $1 and c.owner_id = u.id)
             order by i.email
             limit 1001
            """;

    Future<Void> setProjects(Tx tx, String connectionId, List<String> projectIds) {
        var ids = Values.texts(projectIds);
        return tx.query(TAKE_FROM_OTHERS, connectionId, ids)
                .compose(_ -> tx.query(GIVE, connectionId, ids))
                .mapEmpty();
    }

    /**
     * Gives a project the connections of its platform with these external ids; unknown ones are ignored.
     *
     * @param preSelectedToo true for a new project, which also gets the connections of every new project
     */
    Future<Void> giveToProject(
            Tx tx, String platformId, String projectId, List<String> externalIds, boolean preSelectedToo) {
        return tx.query(GIVE_TO_PROJECT, platformId, projectId, Values.texts(externalIds), preSelectedToo)
                .mapEmpty();
    }

    /** True when {@link #giveToProject} would add a connection to an existing project. */
    Future<Boolean> gains(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return tx.query(GAINS, platformId, projectId, Values.texts(externalIds))
                .map(rows -> Rows.flag(rows.iterator().next(), "gains"));
    }

    Future<Void> takeFromProject(Tx tx, String projectId, List<String> keptExternalIds) {
        return tx.query(TAKE_FROM_PROJECT, projectId, Values.texts(keptExternalIds))
                .mapEmpty();
    }

    Future<List<String>> findPresent(Tx tx, String platformId, List<String> projectIds) {
        return tx.query(PRESENT, platformId, Values.texts(projectIds))
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Optional<String>> findPlatform(Tx tx, String projectId) {
        return tx.query(PLATFORM_OF, projectId).map(rows -> Rows.first(rows, row -> Rows.text(row, "platform_id")));
    }

    /** {id, displayName, type} of projects, by id. */
    Future<Map<String, JsonNode>> describe(Tx tx, List<String> projectIds) {
        return tx.query(DESCRIBE, (Object) Values.texts(projectIds))
                .map(rows -> DESCRIBED.all(rows).stream()
                        .collect(Collectors.toMap(DescriptionRow::id, DescriptionRow::described)));
    }

    Future<List<JsonNode>> ownersInProject(Tx tx, String projectId) {
        return tx.query(OWNERS_IN_PROJECT, projectId).map(rows -> Rows.all(rows, row -> Rows.json(row, "person")));
    }

    /** One more than is shown at most, to detect a longer list. */
    Future<List<JsonNode>> ownersOnPlatform(Tx tx, String platformId) {
        return tx.query(OWNERS_ON_PLATFORM, platformId).map(rows -> Rows.all(rows, row -> Rows.json(row, "person")));
    }
}
