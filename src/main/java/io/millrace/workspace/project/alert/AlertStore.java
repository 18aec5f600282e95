package io.millrace.workspace.project.alert;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/** Rows of {@code alert}: receivers of a project's failed runs (contract admin-api 24). */
final class AlertStore {
    private static final String INSERT = """
            insert into alert (id, created, updated, project_id, channel, receiver)
            values ($1, $2, $2, $3, 'EMAIL', lower($4))
            on conflict (project_id, channel, receiver) do nothing
            """;

    private static final String INSERT_OWNER = """
            insert into alert (id, created, updated, project_id, channel, receiver)
            select $1, $2, $2, p.id, 'EMAIL', lower(i.email)
              from project p
              join platform_user u on u.id = p.owner_id
              join user_identity i on i.id = u.identity_id
             where p.id = $3 and i.email like '%@%'
            on conflict (project_id, channel, receiver) do nothing
            """;

    private static final String PAGE = """
            select id, created, updated, project_id, receiver from alert where project_id = $1
            """;

    private static final RowMapper<Alert> ALERTS = RowMapper.of(Alert.class, PAGE);

    private static final String MAY_RECEIVE = """
            select (p.type <> 'PERSONAL' or lower(i.email) = $2) as may_receive
              from project p
              left join platform_user u on u.id = p.owner_id
              left join user_identity i on i.id = u.identity_id
             where p.id = $1
            """;

    /** Adds the owner of a project; users of an embedding product have no e-mail address. */
    Future<Void> insertOwner(Tx tx, String id, String projectId, Instant now) {
        return tx.query(INSERT_OWNER, id, now, projectId).mapEmpty();
    }

    /** Adds an alert, unless its receiver exists. Answers true for a new receiver. */
    Future<Boolean> insert(Tx tx, Alert alert) {
        return tx.query(INSERT, alert.id(), alert.created(), alert.projectId(), alert.receiver())
                .map(rows -> rows.rowCount() == 1);
    }

    Future<Long> count(Tx tx, String projectId) {
        return tx.query("select count(*) as count from alert where project_id = $1", projectId)
                .map(rows -> Rows.whole(rows.iterator().next(), "count"));
    }

    Future<Page<Alert>> page(Tx tx, String projectId, PageRequest page) {
        return tx.page(
                PAGE, Paging.newestFirst(), page, ALERTS, alert -> new PageKey(alert.created(), alert.id()), projectId);
    }

    /** True when the address may receive alerts of a project: of a personal one only its owner. */
    Future<Boolean> mayReceive(Tx tx, String projectId, String receiver) {
        return tx.query(MAY_RECEIVE, projectId, receiver)
                .map(rows -> Rows.first(
                                rows,
                                row -> Rows.optionalFlag(row, "may_receive").orElse(false))
                        .orElse(false));
    }

    Future<Optional<String>> findProject(Tx tx, String id) {
        return tx.query("select project_id from alert where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query("delete from alert where id = $1", id).mapEmpty();
    }
}
