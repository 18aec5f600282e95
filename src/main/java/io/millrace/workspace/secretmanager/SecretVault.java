package io.millrace.workspace.secretmanager;

import io.vertx.core.Future;

/** One system that keeps secrets, logged in to anew for every call. Fails with {@link SecretFailure}. */
interface SecretVault {
    /** Whether the server is let in. */
    Future<Void> check();

    /** The secret text at a path, as the vendor writes paths (contract admin-api 26.3). */
    Future<String> read(String path);
}
