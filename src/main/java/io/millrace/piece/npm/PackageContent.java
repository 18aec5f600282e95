package io.millrace.piece.npm;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * Stored content of a package, from which each node installs the same files.
 *
 * @param archive the uploaded file; empty for a package of the registry
 * @param lock dependencies with versions and integrity; empty if the package needs none, or if they were not recorded yet
 */
record PackageContent(Optional<Buffer> archive, Optional<String> lock) {}
