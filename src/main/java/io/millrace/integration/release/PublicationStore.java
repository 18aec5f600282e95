package io.millrace.integration.release;

import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.util.List;

final class PublicationStore {
    private static final String INSERT = """
        insert into release_publication (flow_id, created, status, user_id, platform_id)
        select flow_id, released, status, $4, $5
          from unnest($1::text[], $2::text[], $3::timestamptz[]) as wanted (flow_id, status, released)
        on conflict (flow_id) do update set created = excluded.created, status = excluded.status,
          user_id = excluded.user_id, platform_id = excluded.platform_id, failure = null
        """;

    /** Orphaned publications, by their age: their process has died. */
    private static final String LEFT = """
        select flow_id, status, created as released, user_id, platform_id from release_publication
         where failure is null and ($1 or created < now() - interval '10 minutes') order by created limit 1000
        """;

    private static final RowMapper<PendingPublication> LEFT_ROWS = RowMapper.of(PendingPublication.class, LEFT);

    /**
     * Publications of a project; a failure is omitted if the flow has been published since and has the wanted status. A flow
     * whose trigger cannot be enabled is published and disabled.
     */
    private static final String OF_PROJECT = """
        select p.flow_id, f.external_id, p.created as released, p.failure,
               coalesce((select v.display_name from flow_version v where v.flow_id = p.flow_id
                 order by v.created desc limit 1), '') as display_name
          from release_publication p join flow f on f.id = p.flow_id
         where f.project_id = $1 and (p.failure is null or f.status <> p.status or not exists (
               select from flow_version v
                where v.id = f.published_version_id and v.updated > p.created))
         order by p.created, p.flow_id limit 1000
        """;

    private static final RowMapper<Publications.PendingPublication> UNPUBLISHED =
            RowMapper.of(Publications.PendingPublication.class, OF_PROJECT);

    /**
     * An orphaned publication.
     *
     * @param userId user on whose behalf it is published
     */
    record PendingPublication(@Unprefixed Publications.Publication publication, String userId, String platformId) {}

    Future<Void> insert(Tx tx, Principal by, List<Publications.Publication> publications) {
        return tx.query(
                        INSERT,
                        Values.texts(publications, Publications.Publication::flowId),
                        Values.texts(
                                publications,
                                publication -> publication.status().name()),
                        Values.instants(publications, Publications.Publication::released),
                        by.actingUser(),
                        by.platform())
                .mapEmpty();
    }

    /** @param all true to include publications that another process may be executing */
    Future<List<PendingPublication>> left(Tx tx, boolean all) {
        return tx.query(LEFT, all).map(LEFT_ROWS::all);
    }

    /** Records the failure of a publication, unless a newer release was committed meanwhile. */
    Future<Void> fail(Tx tx, Publications.Publication publication, String failure) {
        return tx.query(
                        "update release_publication set failure = $3 where flow_id = $1 and created = $2",
                        publication.flowId(),
                        publication.released(),
                        failure)
                .mapEmpty();
    }

    Future<Void> forget(Tx tx, String projectId, List<String> externalIds) {
        return externalIds.isEmpty()
                ? Future.succeededFuture()
                : tx.query(
                                "delete from release_publication p using flow f"
                                        + " where f.id = p.flow_id and f.project_id = $1 and f.external_id = any($2::text[])",
                                projectId,
                                Values.texts(externalIds, id -> id))
                        .mapEmpty();
    }

    Future<List<Publications.PendingPublication>> ofProject(Tx tx, String projectId) {
        return tx.query(OF_PROJECT, projectId).map(UNPUBLISHED::all);
    }

    /** Deletes a finished publication; one of a newer release, committed meanwhile, is kept. */
    Future<Void> delete(Tx tx, Publications.Publication publication) {
        return tx.query(
                        "delete from release_publication where flow_id = $1 and created = $2",
                        publication.flowId(),
                        publication.released())
                .mapEmpty();
    }
}
