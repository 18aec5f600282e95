package io.millrace.account.sealing;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.List;

final class ClusterSecretStore {
    /** Seal context of an encryption key. */
    static final String ENCRYPTION = "encryption";

    /** Seal context of the key that signs tokens. */
    static final String TOKEN = "token";

    /** Serializes changes of the secrets until the end of the transaction. */
    Future<Void> lock(Tx tx) {
        return tx.query("lock table cluster_secret in exclusive mode").mapEmpty();
    }

    /** The sealed secrets of a name, the oldest first. */
    Future<List<String>> all(Tx tx, String name) {
        return tx.query("select sealed from cluster_secret where name = $1 order by id", name)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "sealed")));
    }

    Future<Void> add(Tx tx, String name, String sealed) {
        return tx.query("insert into cluster_secret (name, sealed) values ($1, $2)", name, sealed)
                .mapEmpty();
    }

    Future<Boolean> hasLiveNodes(Tx tx) {
        return tx.query("select exists (select from node where lease_until > now()) as found")
                .map(rows -> Rows.first(rows, row -> Rows.flag(row, "found")).orElseThrow());
    }
}
