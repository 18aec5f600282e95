package io.millrace.workspace.secretmanager;

import io.vertx.core.Future;

/**
 * What cannot be reached: a service account of 1Password speaks a protocol that its maker publishes as a library only, and no
 * HTTP interface takes its token (decision 0087).
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
