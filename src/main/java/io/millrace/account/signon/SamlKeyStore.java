package io.millrace.account.signon;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

final class SamlKeyStore {
    private static final String INSERT = """
            insert into saml_key (id, created, certificate, sealed_key) values (1, $1, $2, $3) on conflict (id) do nothing
            """;

    private static final String FIND = "select certificate, sealed_key from saml_key";

    private static final RowMapper<SealedKeyPair> KEYS = RowMapper.of(SealedKeyPair.class, FIND);

    record SealedKeyPair(Buffer certificate, Buffer sealedKey) {}

    Future<Optional<SealedKeyPair>> find(Tx tx) {
        return tx.query(FIND).map(KEYS::first);
    }

    /** Stores the key, unless another node was first; returns the stored one. */
    Future<SealedKeyPair> insert(Tx tx, SealedKeyPair held, Instant now) {
        return tx.query(INSERT, now, held.certificate(), held.sealedKey())
                .compose(_ -> find(tx))
                .map(Optional::orElseThrow);
    }
}
