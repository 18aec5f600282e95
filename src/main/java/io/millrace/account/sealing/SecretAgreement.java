package io.millrace.account.sealing;

import io.millrace.base.config.BadSetting;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.base.secret.UnreadableSecretException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ensures that nodes of one database use the same secrets (decision 0159). A joining node adopts the secrets in use, if its
 * encryption key opens them; otherwise it is refused with the reason. A new encryption key is distributed to the other nodes,
 * sealed with the former one.
 */
public final class SecretAgreement {
    private static final String CONTEXT = "cluster_secret:";

    private final Database database;
    private final ClusterSecretStore store = new ClusterSecretStore();

    public SecretAgreement(Database database) {
        this.database = database;
    }

    /**
     * The secrets of this node.
     *
     * @param own secrets from settings, or generated
     * @param tokenIsGiven true when the setting AP_JWT_SECRET is present
     */
    public Future<ServerSecrets> agree(ServerSecrets own, boolean tokenIsGiven) {
        return database.inTransaction(tx -> store.lock(tx)
                .compose(_ -> store.hasLiveNodes(tx))
                .compose(others -> encryption(tx, own, others)
                        .compose(keys -> token(tx, own, keys, tokenIsGiven, others)
                                .map(token ->
                                        new ServerSecrets(keys.current(), keys.known(), own.keyIsKept(), token)))));
    }

    Future<Boolean> hasLiveNodes() {
        return database.read(store::hasLiveNodes);
    }

    private record Keys(String current, List<String> known) {
        SecretBox box() {
            return new SecretBox(current, known);
        }
    }

    private Future<Keys> encryption(Tx tx, ServerSecrets own, boolean others) {
        return store.all(tx, ClusterSecretStore.ENCRYPTION).compose(links -> {
            var newest = newest(own, links);
            if (newest.isEmpty() && others && !links.isEmpty()) {
                throw new BadSetting(
                        "AP_ENCRYPTION_KEY: expected the key of the other nodes of this database, or that key in"
                                + " AP_KNOWN_ENCRYPTION_KEYS; found a different one");
            }
            var keys = newest.orElseGet(() -> new Keys(own.encryptionKey(), own.knownKeys()));
            return newest.isPresent() && keys.current().equals(keys.known().getLast())
                    ? Future.succeededFuture(keys)
                    : add(tx, keys, newest);
        });
    }

    /** Adds the new key, sealed with the previous one, or with itself if there was none. */
    private Future<Keys> add(Tx tx, Keys keys, Optional<Keys> before) {
        var box = before.map(chain -> new SecretBox(chain.known().getLast(), chain.known()))
                .orElseGet(keys::box);
        return store.add(
                        tx,
                        ClusterSecretStore.ENCRYPTION,
                        box.sealText(keys.current(), CONTEXT + ClusterSecretStore.ENCRYPTION))
                .map(keys);
    }

    /**
     * Follows the chain of keys from the known ones; empty when its last link does not open. The last known key is the last
     * of the chain; the current one is too, unless this node brings one that is new.
     */
    private static Optional<Keys> newest(ServerSecrets own, List<String> links) {
        var known = new ArrayList<>(own.knownKeys());
        known.add(own.encryptionKey());
        var chain = new ArrayList<String>();
        for (var link : links) {
            var key = opened(new SecretBox(own.encryptionKey(), known), link, ClusterSecretStore.ENCRYPTION);
            key.ifPresent(text -> {
                known.remove(text);
                known.add(text);
                chain.add(text);
            });
            if (key.isEmpty()) {
                chain.clear();
            }
        }
        if (chain.isEmpty()) {
            return Optional.empty();
        }
        var isNew = !chain.contains(own.encryptionKey());
        return Optional.of(new Keys(isNew ? own.encryptionKey() : chain.getLast(), known));
    }

    private Future<String> token(Tx tx, ServerSecrets own, Keys keys, boolean isGiven, boolean others) {
        return store.all(tx, ClusterSecretStore.TOKEN).compose(links -> {
            var shared = links.isEmpty()
                    ? Optional.<String>empty()
                    : opened(keys.box(), links.getLast(), ClusterSecretStore.TOKEN);
            if (shared.isPresent() && (!isGiven || shared.get().equals(own.jwtSecret()))) {
                return Future.succeededFuture(shared.get());
            }
            if (shared.isPresent() && others) {
                throw new BadSetting(
                        "AP_JWT_SECRET: expected the secret of the other nodes of this database, found a different one");
            }
            return store.add(
                            tx,
                            ClusterSecretStore.TOKEN,
                            keys.box().sealText(own.jwtSecret(), CONTEXT + ClusterSecretStore.TOKEN))
                    .map(own.jwtSecret());
        });
    }

    private static Optional<String> opened(SecretBox box, String link, String name) {
        try {
            return Optional.of(box.openText(link, CONTEXT + name));
        } catch (UnreadableSecretException unknownKey) {
            return Optional.empty();
        }
    }

    /** Distributes a key to all nodes before its first use; completes when it is in the log of changes. */
    Future<Void> announce(SecretBox box, String key) {
        return database.inTransaction(tx -> store.lock(tx)
                .compose(_ -> store.add(
                        tx,
                        ClusterSecretStore.ENCRYPTION,
                        box.sealText(key, CONTEXT + ClusterSecretStore.ENCRYPTION))));
    }

    /** Loads the keys that other nodes have added since. */
    Future<Void> takeUp(SecretBox box) {
        return database.read(tx -> store.all(tx, ClusterSecretStore.ENCRYPTION)).map(links -> {
            links.forEach(
                    link -> opened(box, link, ClusterSecretStore.ENCRYPTION).ifPresent(box::use));
            return null;
        });
    }
}
