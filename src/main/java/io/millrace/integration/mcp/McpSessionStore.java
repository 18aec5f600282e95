package io.millrace.integration.mcp;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.millrace.integration.mcp.protocol.Revision;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class McpSessionStore {
    private static final String INSERT = """
            insert into mcp_session (id, created, holder, revision, expires) values ($1, $2, $3, $4, $5)
            """;

    private static final String FIND = """
            select revision from mcp_session where id = $1 and holder = $2 and expires > $3
            """;

    private static final String DELETE = "delete from mcp_session where id = $1 and holder = $2";

    private static final String DELETE_EXPIRED = "delete from mcp_session where expires <= $1";

    Future<Void> insert(Tx tx, String id, Instant now, String holder, Revision revision, Instant expires) {
        return tx.query(INSERT, id, now, holder, revision, expires).mapEmpty();
    }

    Future<Optional<Revision>> find(Tx tx, String id, String holder, Instant now) {
        return tx.query(FIND, id, holder, now)
                .map(rows -> Rows.first(rows, row -> Rows.option(row, "revision", Revision.class)));
    }

    Future<Void> delete(Tx tx, String id, String holder) {
        return tx.query(DELETE, id, holder).mapEmpty();
    }

    Future<Void> deleteExpired(Tx tx, Instant now) {
        return tx.query(DELETE_EXPIRED, now).mapEmpty();
    }
}
