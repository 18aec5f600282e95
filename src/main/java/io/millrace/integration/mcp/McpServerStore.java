package io.millrace.integration.mcp;

import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class McpServerStore {
    private static final String SELECT = """
            select s.id, s.created, s.updated, s.project_id, s.sealed_token, s.disabled_tools, s.pinned_tools,
                   p.platform_id, l.owner_id
              from mcp_server s
              join project p on p.id = s.project_id and p.deleted is null
              join platform l on l.id = p.platform_id
            """;

    private static final RowMapper<McpServerRow> SERVERS = RowMapper.of(McpServerRow.class, SELECT);

    private static final String FIND = SELECT + " where s.project_id = $1";

    private static final String FIND_BY_TOKEN = SELECT + " where s.token_hash = $1";

    /** Concurrent first requests get the same server. */
    private static final String INSERT = """
            insert into mcp_server (id, created, updated, project_id, token_hash, sealed_token)
            select $1, $2, $2, id, $4, $5 from project where id = $3 and deleted is null
            on conflict (project_id) do nothing
            """;

    private static final String DISABLE_TOOLS = """
            update mcp_server set disabled_tools = $2, updated = $3 where project_id = $1
            """;

    private static final String PIN_TOOLS = """
            update mcp_server set pinned_tools = $2, updated = $3 where project_id = $1
            """;

    private static final String ROTATE = """
            update mcp_server set token_hash = $2, sealed_token = $3, updated = $4 where project_id = $1
            """;

    private static final String SET_CONTEXT = """
            insert into mcp_project_context (grant_id, project_id) values ($1, $2)
            on conflict (grant_id) do update set project_id = excluded.project_id
            """;

    private static final String FIND_CONTEXT = """
            select c.project_id
              from mcp_project_context c
              join project p on p.id = c.project_id and p.deleted is null
             where c.grant_id = $1
            """;

    /**
     * Row of a server.
     *
     * @param ownerId owner of the platform, named where a record needs a user
     */
    record McpServerRow(
            String id,
            Instant created,
            Instant updated,
            String projectId,
            String platformId,
            String ownerId,
            String sealedToken,
            Optional<List<String>> disabledTools,
            List<String> pinnedTools) {
        Principal.McpServerToken principal() {
            return new Principal.McpServerToken(id, projectId, platformId, ownerId);
        }
    }

    Future<Optional<McpServerRow>> find(Tx tx, String projectId) {
        return tx.query(FIND, projectId).map(SERVERS::first);
    }

    Future<Optional<McpServerRow>> findByToken(Tx tx, String tokenHash) {
        return tx.query(FIND_BY_TOKEN, tokenHash).map(SERVERS::first);
    }

    Future<Void> insert(Tx tx, String id, Instant now, String projectId, String tokenHash, String sealedToken) {
        return tx.query(INSERT, id, now, projectId, tokenHash, sealedToken).mapEmpty();
    }

    Future<Void> disableTools(Tx tx, String projectId, Optional<List<String>> names, Instant now) {
        return tx.query(DISABLE_TOOLS, projectId, names.map(Values::texts).orElse(null), now)
                .mapEmpty();
    }

    Future<Void> pinTools(Tx tx, String projectId, List<String> names, Instant now) {
        return tx.query(PIN_TOOLS, projectId, Values.texts(names), now).mapEmpty();
    }

    Future<Void> rotate(Tx tx, String projectId, String tokenHash, String sealedToken, Instant now) {
        return tx.query(ROTATE, projectId, tokenHash, sealedToken, now).mapEmpty();
    }

    Future<Void> setContext(Tx tx, String grantId, String projectId) {
        return tx.query(SET_CONTEXT, grantId, projectId).mapEmpty();
    }

    Future<Optional<String>> findContext(Tx tx, String grantId) {
        return tx.query(FIND_CONTEXT, grantId).map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }
}
