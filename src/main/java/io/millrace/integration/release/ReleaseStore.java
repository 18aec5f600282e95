package io.millrace.integration.release;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.Optional;

final class ReleaseStore {
    /** Locks the project against other releases only. */
    private static final String HOLD_PROJECT = """
            select id from project where id = $1 and deleted is null for no key update
            """;

    private static final String INSERT = """
            insert into project_release (id, created, updated, project_id, name, description, type, imported_by, file_id)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8)
            """;

    private static final String COUNT = "select count(*) as count from project_release where project_id = $1";

    private static final String SELECT = """
            select r.id, r.created, r.updated, r.project_id, r.name, r.description, r.type, r.imported_by,
                   u.record::text as imported_by_user, r.file_id
              from project_release r
              left join user_record u on u.id = r.imported_by
            """;

    private static final RowMapper<Release> RELEASES = RowMapper.of(Release.class, SELECT);

    /** Serializes the releases of a project; returns false when the project does not exist. */
    Future<Boolean> holdProject(Tx tx, String projectId) {
        return tx.query(HOLD_PROJECT, projectId).map(rows -> rows.size() > 0);
    }

    /** Fails when the project has more releases than its bound. */
    Future<Void> insert(Tx tx, Release release, RowBound bound) {
        return bound.begin(tx, "releases", "project", release.projectId())
                .compose(addition -> tx.query(
                                INSERT,
                                release.id(),
                                release.created(),
                                release.projectId(),
                                release.name(),
                                release.description(),
                                release.type(),
                                release.importedBy(),
                                release.fileId())
                        .compose(_ -> tx.query(COUNT, release.projectId()))
                        .compose(rows -> addition.checkPermanent(
                                Rows.whole(rows.iterator().next(), "count"))));
    }

    Future<Optional<Release>> find(Tx tx, String id) {
        return tx.query(SELECT + " where r.id = $1", id).map(RELEASES::first);
    }

    Future<Page<Release>> page(Tx tx, String projectId, PageRequest page) {
        return tx.page(
                SELECT + " where r.project_id = $1",
                Paging.newestFirst().on("r.created", "r.id"),
                page,
                RELEASES,
                release -> new PageKey(release.created(), release.id()),
                projectId);
    }
}
