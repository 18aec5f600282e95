package io.millrace.workspace.secretmanager;

import io.vertx.core.Future;

/** Client of one secret manager; logs in for every call. Fails with {@link SecretFailure}. */
interface SecretVault {
    /** Fails unless the manager accepts the server's credentials. */
    Future<Void> check();

    /** The secret text at a path in the vendor's syntax (contract admin-api 26.3). */
    Future<String> read(String path);
}
