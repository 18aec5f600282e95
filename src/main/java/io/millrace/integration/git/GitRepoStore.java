package io.millrace.integration.git;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Rows of {@code git_repo}. Keys are received and returned sealed. */
final class GitRepoStore {
    private static final String COLUMNS = """
            id, created, updated, project_id, remote_url, branch, branch_type, slug, sealed_key, host_key
            """;

    private static final String FIND = "select " + COLUMNS + " from git_repo where project_id = $1";

    private static final RowMapper<RepoWithKey> KEPT = RowMapper.of(RepoWithKey.class, FIND);

    /**
     * A repository with its credentials.
     *
     * @param hostKey pinned host key of its server
     */
    record RepoWithKey(@Unprefixed GitRepo repo, Buffer sealedKey, String hostKey) {}

    /** An existing repository keeps its id. */
    Future<GitRepo> put(Tx tx, RepoWithKey kept) {
        var repo = kept.repo();
        return tx.query(
                        "insert into git_repo (" + COLUMNS + ") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
                                + """
                                 on conflict (project_id) do update set updated = excluded.updated,
                                  remote_url = excluded.remote_url, branch = excluded.branch,
                                  branch_type = excluded.branch_type, slug = excluded.slug,
                                  sealed_key = excluded.sealed_key, host_key = excluded.host_key
                                returning\s""" + COLUMNS,
                        repo.id(),
                        repo.created(),
                        repo.updated(),
                        repo.projectId(),
                        repo.remoteUrl(),
                        repo.branch(),
                        repo.branchType(),
                        repo.slug(),
                        kept.sealedKey(),
                        kept.hostKey())
                .map(rows -> KEPT.only(rows).repo());
    }

    Future<Optional<RepoWithKey>> findOf(Tx tx, String projectId) {
        return tx.query(FIND, projectId).map(KEPT::first);
    }

    Future<Optional<String>> findProject(Tx tx, String id) {
        return tx.query("select project_id from git_repo where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    Future<Boolean> delete(Tx tx, String id) {
        return tx.query("delete from git_repo where id = $1", id).map(rows -> rows.rowCount() > 0);
    }
}
