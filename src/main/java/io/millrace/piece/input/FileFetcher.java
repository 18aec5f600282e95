package io.millrace.piece.input;

import io.millrace.piece.PieceFailure;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Downloads the files of FILE properties given by URL. Implemented by a higher module: pieces open no connections
 * themselves.
 */
@FunctionalInterface
public interface FileFetcher {
    /**
     * Reads a file from an http or https URL.
     *
     * @return the file; empty when it cannot be read. Fails with {@link PieceFailure} when the step must fail, as for
     *     a file that is too large (FileSizeError)
     */
    Future<Optional<FileValue>> fetch(String url);

    /**
     * Checks a file given by value, as a data URI.
     *
     * @throws PieceFailure when it is too large (FileSizeError)
     */
    default void requireAllowed(FileValue held) {}
}
