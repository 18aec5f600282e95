package io.millrace.integration.mcp;

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

/** Rows of {@code mcp_custom_server}. Reads the table of flows below. */
final class CustomServerStore {
    /** Flows that were deleted since they were chosen are left out. */
    private static final String SELECT = """
            select s.id, s.created, s.updated, s.project_id, p.platform_id, l.owner_id, s.display_name, s.all_flows,
                   array(select f.id from flow f
                          where f.id = any (s.flow_ids) and f.project_id = s.project_id
                            and f.operation_status <> 'DELETING'
                          order by f.id) as flow_ids,
                   s.tables, s.platform_tools, s.disabled_tools, s.pinned_tools
              from mcp_custom_server s
              join project p on p.id = s.project_id and p.deleted is null
              join platform l on l.id = p.platform_id
            """;

    private static final RowMapper<CustomServer> SERVERS = RowMapper.of(CustomServer.class, SELECT);

    private static final String FIND = SELECT + " where s.id = $1 and s.project_id = $2";

    private static final String FIND_BY_TOKEN = SELECT + " where s.token_hash = $1";

    private static final String OF_PROJECT = SELECT + " where s.project_id = $1";

    private static final String INSERT = """
            insert into mcp_custom_server (id, created, updated, project_id, display_name, token_hash, all_flows,
                                           flow_ids, tables, platform_tools, disabled_tools, pinned_tools)
            select $1, $2, $2, id, $4, $5, $6, $7::text[], $8, $9, $10::text[], $11::text[]
              from project where id = $3 and deleted is null
            """;

    private static final String UPDATE = """
            update mcp_custom_server
               set updated = $2, display_name = $3, all_flows = $4, flow_ids = $5, tables = $6, platform_tools = $7,
                   disabled_tools = $8, pinned_tools = $9
             where id = $1
            """;

    private static final String ROTATE = """
            update mcp_custom_server set token_hash = $2, updated = $3 where id = $1
            """;

    private static final String DELETE = "delete from mcp_custom_server where id = $1";

    private static final String COUNT = """
            select count(*) as servers from mcp_custom_server where project_id = $1
            """;

    private static final String UNKNOWN_FLOWS = """
            select c.id from unnest($2::text[]) as c (id)
             where not exists (select from flow f
                                where f.id = c.id and f.project_id = $1 and f.operation_status <> 'DELETING')
            """;

    Future<Void> insert(
            Tx tx,
            String id,
            Instant now,
            String projectId,
            String displayName,
            String tokenHash,
            ToolSelection selection) {
        return tx.query(
                        INSERT,
                        id,
                        now,
                        projectId,
                        displayName,
                        tokenHash,
                        selection.allFlows(),
                        Values.texts(selection.flowIds()),
                        selection.tables(),
                        selection.platformTools(),
                        Values.texts(selection.disabledTools()),
                        Values.texts(selection.pinnedTools()))
                .mapEmpty();
    }

    Future<Void> update(Tx tx, String id, Instant now, String displayName, ToolSelection selection) {
        return tx.query(
                        UPDATE,
                        id,
                        now,
                        displayName,
                        selection.allFlows(),
                        Values.texts(selection.flowIds()),
                        selection.tables(),
                        selection.platformTools(),
                        Values.texts(selection.disabledTools()),
                        Values.texts(selection.pinnedTools()))
                .mapEmpty();
    }

    Future<Void> rotate(Tx tx, String id, String tokenHash, Instant now) {
        return tx.query(ROTATE, id, tokenHash, now).mapEmpty();
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }

    Future<Optional<CustomServer>> find(Tx tx, String projectId, String id) {
        return tx.query(FIND, id, projectId).map(SERVERS::first);
    }

    Future<Optional<CustomServer>> findByToken(Tx tx, String tokenHash) {
        return tx.query(FIND_BY_TOKEN, tokenHash).map(SERVERS::first);
    }

    Future<Page<CustomServer>> page(Tx tx, String projectId, PageRequest page) {
        return tx.page(
                OF_PROJECT,
                Paging.newestFirst().on("s.created", "s.id"),
                page,
                SERVERS,
                server -> new PageKey(server.created(), server.id()),
                projectId);
    }

    Future<Long> count(Tx tx, String projectId) {
        return tx.query(COUNT, projectId).map(rows -> Rows.whole(rows.iterator().next(), "servers"));
    }

    Future<List<String>> unknownFlows(Tx tx, String projectId, List<String> flowIds) {
        return tx.query(UNKNOWN_FLOWS, projectId, Values.texts(flowIds))
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }
}
