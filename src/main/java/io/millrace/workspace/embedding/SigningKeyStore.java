package io.millrace.workspace.embedding;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

final class SigningKeyStore {
    private static final String INSERT = """
            insert into signing_key (id, created, updated, platform_id, display_name, public_key)
            values ($1, $2, $2, $3, $4, $5)
            """;

    private static final String SELECT = """
            select id, created, updated, platform_id, display_name, public_key from signing_key
            """;

    private static final RowMapper<SigningKey> KEYS = RowMapper.of(SigningKey.class, SELECT);

    private static final String LIST = SELECT + " where platform_id = $1 order by created, id";

    private static final String FIND = SELECT + " where id = $1";

    private static final String DELETE = "delete from signing_key where id = $1 and platform_id = $2";

    Future<Void> insert(Tx tx, SigningKey key) {
        return tx.query(INSERT, key.id(), key.created(), key.platformId(), key.displayName(), key.publicKey())
                .mapEmpty();
    }

    Future<List<SigningKey>> list(Tx tx, String platformId) {
        return tx.query(LIST, platformId).map(KEYS::all);
    }

    /** Finds a key of any platform: the bearer of the token is not authenticated yet. */
    Future<Optional<SigningKey>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(KEYS::first);
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }
}
