package io.millrace.account.sealing;

import io.millrace.account.sealing.SealedColumn.KeyUse;
import io.millrace.base.config.BadSetting;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Ids of the keys that values in the database are sealed with. */
public final class SealedKeys {
    private final Database database;
    private final SealedColumnStore store = new SealedColumnStore();

    public SealedKeys(Database database) {
        this.database = database;
    }

    /**
     * Fails with a {@link BadSetting} that names rows when a value is sealed with an unknown key.
     *
     * @param isKnown true for the id of a known key
     * @param cure alternative to giving the key, for the operator; empty or a text that follows a semicolon
     */
    public Future<Void> check(Predicate<String> isKnown, String cure) {
        return uses().compose(uses -> {
            var unknown = uses.stream()
                    .filter(use -> !isKnown.test(use.keyId()))
                    .map(KeyUse::toString)
                    .collect(Collectors.joining("; "));
            return unknown.isEmpty()
                    ? Future.succeededFuture()
                    : Future.failedFuture(new BadSetting(
                            "AP_ENCRYPTION_KEY: expected the key that encrypts the secrets in the database, or"
                                    + " that key in AP_KNOWN_ENCRYPTION_KEYS; found secrets encrypted with an unknown key: "
                                    + unknown + (cure.isEmpty() ? "" : "; " + cure)));
        });
    }

    Future<List<KeyUse>> uses() {
        return database.read(tx -> store.columns(tx).compose(columns -> uses(tx, columns)));
    }

    private Future<List<KeyUse>> uses(Tx tx, List<SealedColumn> columns) {
        var all = Future.<List<KeyUse>>succeededFuture(new ArrayList<>());
        for (var column : columns) {
            all = all.compose(uses -> store.keyUses(tx, column).map(more -> {
                uses.addAll(more);
                return uses;
            }));
        }
        return all;
    }
}
