package io.millrace.piece.npm;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Where a package comes from. */
sealed interface PackageSource {
    /**
     * The registry of the package manager.
     *
     * @param integrity what it must be, when it was installed before
     */
    record Registry(Optional<String> integrity) implements PackageSource {}

    /** A file that somebody uploaded. */
    record Archive(Buffer content) implements PackageSource {}
}
