package io.millrace.authoring.flow.use;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.workspace.connection.FlowConnections.Usage;
import io.vertx.core.Future;
import java.util.List;

/** Finds flows by the connections that they use (contract flows-and-engine 2.13). */
final class FlowConnectionStore {
    private static final String VERSIONS = """
              from flow f
              join flow_version v
                on v.flow_id = f.id
               and (v.id = f.published_version_id
                    or v.id = (select l.id from flow_version l
                                where l.flow_id = f.id order by l.created desc, l.id desc limit 1))
             where f.operation_status <> 'DELETING'
            """;

    private static final String USAGES = """
            select u.project_id, u.id as flow_id, u.external_id
              from (select distinct f.created, f.project_id, f.id, unnest(v.connection_ids) as external_id
            """ + VERSIONS + """
                       and f.project_id = any ($1) and v.connection_ids && $2) u
             where u.external_id = any ($2)
             order by u.created, u.id
            """;

    private static final RowMapper<Usage> USAGES_FOUND = RowMapper.of(Usage.class, USAGES);

    /** In a fixed order, so that concurrent replacements cannot deadlock. */
    private static final String LOCK_USING = """
            select f.id as flow_id, v.id as version_id, v.state = 'DRAFT' as is_draft,
                   coalesce(v.id = f.published_version_id, false) as is_published
            """ + VERSIONS + """
               and f.project_id = $1 and v.connection_ids @> array[$2]
             order by f.id, v.id
               for update of f
            """;

    private static final RowMapper<Using> USING = RowMapper.of(Using.class, LOCK_USING);

    record Using(String flowId, String versionId, boolean isDraft, boolean isPublished) {}

    Future<List<Usage>> usages(Tx tx, List<String> projectIds, List<String> externalIds) {
        return tx.query(USAGES, Values.texts(projectIds), Values.texts(externalIds))
                .map(USAGES_FOUND::all);
    }

    /** Versions of a project that use a connection; their flows are locked until the transaction ends. */
    Future<List<Using>> lockUsing(Tx tx, String projectId, String externalId) {
        return tx.query(LOCK_USING, projectId, externalId).map(USING::all);
    }
}
