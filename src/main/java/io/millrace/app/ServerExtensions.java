package io.millrace.app;

import io.millrace.base.persistence.WriteInterceptor;
import io.millrace.base.secret.SecretWork;
import io.millrace.engine.run.recovery.RunSweeper;
import io.millrace.piece.Piece;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Optional extensions of a server besides its settings.
 *
 * @param pieces additional pieces
 * @param postgresOptions options of an embedded PostgreSQL, which override those of the server
 * @param writes interceptor of durable writes
 * @param recoveryHaste divisor of the periods of the {@link RunSweeper}: 1, or more in tests that wait for them
 * @param vendorOrigins maps the host of a provider of models to its base address
 * @param secretWork processor work of new passwords and keys: that of production, or less in tests
 */
public record ServerExtensions(
        List<Piece> pieces,
        List<String> postgresOptions,
        WriteInterceptor writes,
        int recoveryHaste,
        UnaryOperator<String> vendorOrigins,
        SecretWork secretWork) {
    public ServerExtensions {
        pieces = List.copyOf(pieces);
        postgresOptions = List.copyOf(postgresOptions);
    }

    public static ServerExtensions of(List<Piece> pieces) {
        return of(pieces, List.of(), WriteInterceptor.NONE);
    }

    public static ServerExtensions of(List<Piece> pieces, List<String> postgresOptions, WriteInterceptor writes) {
        return new ServerExtensions(
                pieces, postgresOptions, writes, 1, host -> "https://" + host, SecretWork.PRODUCTION);
    }

    public ServerExtensions withRecoveryHaste(int changed) {
        return new ServerExtensions(pieces, postgresOptions, writes, changed, vendorOrigins, secretWork);
    }

    public ServerExtensions withVendorOrigins(UnaryOperator<String> changed) {
        return new ServerExtensions(pieces, postgresOptions, writes, recoveryHaste, changed, secretWork);
    }

    public ServerExtensions withSecretWork(SecretWork changed) {
        return new ServerExtensions(pieces, postgresOptions, writes, recoveryHaste, vendorOrigins, changed);
    }
}
