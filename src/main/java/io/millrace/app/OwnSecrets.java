package io.millrace.app;

import io.millrace.account.sealing.SealedKeys;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.ServerSecrets;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;

/**
 * Loads the secrets of this server. If the file of secrets is missing, the database is examined first: if it has values that
 * none of the given keys decrypts, no new file is written that would replace the lost one.
 */
final class OwnSecrets {
    private OwnSecrets() {}

    /** Reads, or generates, the secrets. Blocking. */
    static ServerSecrets loadNow(Config config) {
        var data = config.storage().data();
        return ServerSecrets.load(
                data.directory(),
                data.secrets().encryptionKey(),
                data.secrets().knownEncryptionKeys(),
                data.secrets().jwtSecret());
    }

    static boolean areMissing(Config config) {
        var data = config.storage().data();
        return ServerSecrets.isFileMissing(
                data.directory(), data.secrets().encryptionKey(), data.secrets().jwtSecret());
    }

    /**
     * Loads the secrets; requires an up-to-date schema. Fails with a {@link io.millrace.base.config.BadSetting} and then writes
     * nothing.
     */
    static Future<ServerSecrets> load(Vertx vertx, Config config, Database database) {
        return vertx.executeBlocking(() -> areMissing(config), false)
                .compose(missing -> missing ? checked(config, database) : Future.succeededFuture())
                .compose(_ -> vertx.executeBlocking(() -> loadNow(config), false));
    }

    private static Future<Void> checked(Config config, Database database) {
        var data = config.storage().data();
        var keys = new ArrayList<>(data.secrets().knownEncryptionKeys());
        data.secrets().encryptionKey().ifPresent(keys::add);
        var cure =
                "the file server-secrets.json is missing in the data directory and was not created: restore it from a"
                        + " backup, or set AP_ENCRYPTION_KEY and AP_JWT_SECRET to their former values";
        var sealed = new SealedKeys(database);
        if (keys.isEmpty()) {
            return sealed.check(_ -> false, cure);
        }
        var box = new SecretBox(keys.getLast(), keys);
        return sealed.check(box::knows, cure);
    }
}
