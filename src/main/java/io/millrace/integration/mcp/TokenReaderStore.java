package io.millrace.integration.mcp;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.List;

/** Rows of {@code mcp_token_reader}. */
final class TokenReaderStore {
    private static final String ADD = """
            insert into mcp_token_reader (server_id, user_id, project_id) values ($1, $2, $3) on conflict do nothing
            """;

    Future<List<String>> ofServer(Tx tx, String serverId) {
        return tx.query("select user_id from mcp_token_reader where server_id = $1", serverId)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "user_id")));
    }

    Future<Void> add(Tx tx, String serverId, String userId, String projectId) {
        return tx.query(ADD, serverId, userId, projectId).mapEmpty();
    }

    Future<Void> clear(Tx tx, String serverId) {
        return tx.query("delete from mcp_token_reader where server_id = $1", serverId)
                .mapEmpty();
    }
}
