package io.millrace.workspace.authorizationserver;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.Values;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
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
                ? tx.query(FIND, id).map(rows -> Rows.first(rows, ClientStore::clientOf))
                : Future.succeededFuture(Optional.empty());
    }

    private static OAuthClient clientOf(Row row) {
        return new OAuthClient(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.optionalText(row, "name"),
                Rows.texts(row, "redirect_uris"),
                Rows.texts(row, "grant_types"),
                Rows.option(row, "authentication", ClientAuthentication.class),
                Rows.optionalText(row, "secret_hash"));
    }
}
