package io.millrace.integration.release;

import io.millrace.base.access.Principal;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.workspace.project.DeletionOutbox;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Rows of {@code git_removal}: deleted flows and tables whose files are to be removed from a repository. */
public final class GitRemovalOutbox implements DeletionOutbox {
    /** Has no effect in a project without a development branch. */
    private static final String INSERT = """
        insert into git_removal (id, created, project_id, kind, external_id, user_id, due)
        select $1, now(), $2, $3, $4, $5, now() from git_repo where project_id = $2 and branch_type = 'DEVELOPMENT'
        """;

    /** A claim ends by itself: the row is due again when the process that has claimed it dies. */
    private static final String CLAIM = """
        update git_removal r set attempts = r.attempts + 1, due = now() + make_interval(secs => $1)
          from project p
         where p.id = r.project_id and r.id in (
               select d.id from git_removal d where d.due <= now() order by d.due limit $2 for update skip locked)
        returning r.id, r.project_id, p.platform_id, r.kind, r.external_id, r.user_id, r.attempts,
                  r.created < now() - interval '7 days' as overdue
        """;

    private static final RowMapper<GitRemoval> CLAIMED = RowMapper.of(GitRemoval.class, CLAIM);

    private static final String EXISTS = """
        select $2 = 'FLOW' and exists (
                 select from flow f
                  where f.project_id = $1 and f.external_id = $3 and f.operation_status <> 'DELETING')
            or $2 = 'TABLE' and exists (
                 select from data_table t where t.project_id = $1 and t.external_id = $3) as present
        """;

    /**
     * A claimed removal.
     *
     * @param userId user who has deleted the item, or on whose behalf it was deleted
     * @param attempts number of claims with this one
     * @param overdue true if it is abandoned when it fails again
     */
    public record GitRemoval(
            String id,
            String projectId,
            String platformId,
            Kind kind,
            String externalId,
            Optional<String> userId,
            int attempts,
            boolean overdue) {}

    @Override
    public Future<Void> add(Tx tx, Principal by, Deletion deletion) {
        return tx.query(INSERT, Ids.next(), deletion.projectId(), deletion.kind(), deletion.externalId(), userOf(by))
                .mapEmpty();
    }

    private static Optional<String> userOf(Principal by) {
        return switch (by) {
            case Principal.SignedInUser _, Principal.Service _, Principal.McpServerToken _ ->
                Optional.of(by.actingUser());
            case Principal.Newcomer _, Principal.Engine _, Principal.Anonymous _ -> Optional.empty();
        };
    }

    /** Claims due removals, the oldest first. */
    public Future<List<GitRemoval>> claim(Tx tx, Duration claim, int limit) {
        return tx.query(CLAIM, (double) claim.toSeconds(), limit).map(CLAIMED::all);
    }

    /** Returns true if the project has the item again: its file must stay. */
    public Future<Boolean> exists(Tx tx, GitRemoval removal) {
        return tx.query(EXISTS, removal.projectId(), removal.kind(), removal.externalId())
                .map(rows -> Rows.first(rows, row -> Rows.flag(row, "present")).orElseThrow());
    }

    /** Ends a claim; the removal is due after a pause. */
    public Future<Void> postpone(Tx tx, GitRemoval removal, Duration pause) {
        return tx.query(
                        "update git_removal set due = now() + make_interval(secs => $2) where id = $1",
                        removal.id(),
                        (double) pause.toSeconds())
                .mapEmpty();
    }

    /** Deletes a removal that is done or abandoned. */
    public Future<Void> delete(Tx tx, GitRemoval removal) {
        return tx.query("delete from git_removal where id = $1", removal.id()).mapEmpty();
    }
}
