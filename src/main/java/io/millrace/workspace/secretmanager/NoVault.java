package io.millrace.workspace.secretmanager;

import io.vertx.core.Future;

/**
 * Placeholder for 1Password, which is unsupported: its service accounts use a protocol that is published as a library only,
 * and no HTTP interface accepts their token (decision 0087).
 */
final class NoVault implements SecretVault {
    @Override
    public Future<Void> check() {
        return Future.failedFuture(
                SecretFailure.refused("1Password takes a service account token from its own libraries only,"
                        + " which this server does not have"));
    }

    @Override
    public Future<String> read(String path) {
        return check().mapEmpty();
    }
}
