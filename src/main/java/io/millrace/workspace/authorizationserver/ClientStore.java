package io.millrace.workspace.authorizationserver;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.util.Optional;

/** Rows of {@code mcp_client}. A client belongs to no platform: it registers before a user signs in. */
final class ClientStore {
    private static final String INSERT = """
            insert into mcp_client (id, created, name, redirect_uris, grant_types, authentication, secret_hash)
            values ($1, $2, $3, $4, $5, $6, $7)
            """;

    private static final String FIND = """
            select id, created, name, redirect_uris, grant_types, authentication, secret_hash
              from mcp_client
             where id = $1
            """;

    private static final RowMapper<OAuthClient> CLIENTS = RowMapper.of(OAuthClient.class, FIND);

    Future<Void> insert(Tx tx, OAuthClient client) {
        return tx.query(
                        INSERT,
                        client.id(),
                        client.created(),
                        client.name(),
                        Values.texts(client.redirectUris()),
                        Values.texts(client.grantTypes()),
                        client.authentication(),
                        client.secretHash())
                .mapEmpty();
    }

    Future<Optional<OAuthClient>> find(Tx tx, String id) {
        return OAuthClient.ID.matcher(id).matches()
                ? tx.query(FIND, id).map(CLIENTS::first)
                : Future.succeededFuture(Optional.empty());
    }
}
