package io.millrace.workspace.oauth;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.Optional;

/** Rows of {@code oauth_app}. Secrets are sealed before they reach this store. */
final class OAuthAppStore {
    private static final String COLUMNS = "id, created, updated, piece_name, platform_id, client_id";

    private static final String UPSERT = """
            insert into oauth_app (id, created, updated, platform_id, piece_name, client_id, sealed_secret)
            values ($1, $2, $2, $3, $4, $5, $6)
            on conflict (platform_id, piece_name) do update
               set updated = excluded.updated, client_id = excluded.client_id, sealed_secret = excluded.sealed_secret
            returning\s""" + COLUMNS;

    private static final String PAGE = "select " + COLUMNS + " from oauth_app where platform_id = $1";

    private static final RowMapper<OAuthApp> APPS = RowMapper.of(OAuthApp.class, PAGE);

    private static final String FIND_SECRET = """
            select sealed_secret from oauth_app where platform_id = $1 and piece_name = $2 and client_id = $3
            """;

    private static final String DELETE = """
            delete from oauth_app where id = $1 and platform_id = $2
            """;

    /** Returns the stored row: an existing one for the piece keeps its id. */
    Future<OAuthApp> upsert(Tx tx, OAuthApp app, byte[] sealedSecret) {
        return tx.query(
                        UPSERT,
                        app.id(),
                        app.created(),
                        app.platformId(),
                        app.pieceName(),
                        app.clientId(),
                        sealedSecret)
                .map(APPS::only);
    }

    Future<Page<OAuthApp>> page(Tx tx, String platformId, PageRequest page) {
        return tx.page(PAGE, Paging.oldestFirst(), page, APPS, app -> new PageKey(app.created(), app.id()), platformId);
    }

    Future<Optional<byte[]>> findSecret(Tx tx, String platformId, String pieceName, String clientId) {
        return tx.query(FIND_SECRET, platformId, pieceName, clientId)
                .map(rows -> Rows.first(rows, row -> Rows.bytes(row, "sealed_secret")));
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }
}
