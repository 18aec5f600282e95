package io.millrace.project;

import io.millrace.persistence.Rows;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.List;
import java.util.Optional;

/** Rows of {@code project_role} and {@code project_member}. */
final class ProjectRoleStore {
    /** One row for each default role, and one for the user's own role when that is a custom one. */
    private static final String FIND_ENTRANCE = """
            select p.platform_id as project_platform_id, p.type, p.owner_id, r.id, r.created, r.updated, r.name,
                   r.permissions, r.platform_id, coalesce(r.id = m.project_role_id, false) as is_held
              from project p
              left join project_member m on m.project_id = p.id and m.user_id = $2
              join project_role r on r.type = 'DEFAULT' or r.id = m.project_role_id
             where p.id = $1
               and p.deleted is null
            """;

    private record Candidate(ProjectRole role, boolean isHeld) {}

    /** Empty when there is no such project. */
    Future<Optional<Entrance>> findEntrance(Tx tx, String projectId, String userId) {
        return tx.query(FIND_ENTRANCE, projectId, userId).map(ProjectRoleStore::entranceOf);
    }

    private static Optional<Entrance> entranceOf(RowSet<Row> rows) {
        var candidates = Rows.all(rows, ProjectRoleStore::candidateOf);
        return Rows.all(rows, row -> entranceOf(row, candidates)).stream().findFirst();
    }

    private static Entrance entranceOf(Row row, List<Candidate> candidates) {
        return new Entrance(
                Rows.text(row, "project_platform_id"),
                Rows.option(row, "type", ProjectType.class),
                Rows.text(row, "owner_id"),
                candidates.stream()
                        .map(Candidate::role)
                        .filter(ProjectRole::isDefault)
                        .toList(),
                candidates.stream()
                        .filter(Candidate::isHeld)
                        .map(Candidate::role)
                        .findFirst());
    }

    private static Candidate candidateOf(Row row) {
        var role = new ProjectRole(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "name"),
                Rows.texts(row, "permissions"),
                Rows.optionalText(row, "platform_id").orElse(null));
        return new Candidate(role, Rows.flag(row, "is_held"));
    }
}
