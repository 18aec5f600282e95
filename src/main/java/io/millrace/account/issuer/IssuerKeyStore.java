package io.millrace.account.issuer;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

final class IssuerKeyStore {
    private static final String INSERT = """
            insert into issuer_key (id, created, sealed_key) values (1, $1, $2) on conflict (id) do nothing
            """;

    Future<Optional<byte[]>> find(Tx tx) {
        return tx.query("select sealed_key from issuer_key")
                .map(rows -> Rows.first(rows, row -> Rows.bytes(row, "sealed_key")));
    }

    /** Stores the key, unless another node was first; returns the stored one. */
    Future<byte[]> insert(Tx tx, byte[] sealed, Instant now) {
        return tx.query(INSERT, now, Buffer.buffer(sealed))
                .compose(_ -> find(tx))
                .map(Optional::orElseThrow);
    }
}
