package io.millrace.piece.npm;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;

sealed interface PackageSource {
    /**
     * The registry of the package manager.
     *
     * @param integrity expected integrity from an earlier installation
     */
    record Registry(Optional<String> integrity) implements PackageSource {}

    record Archive(Buffer content) implements PackageSource {}
}
