package io.millrace.piece.input;

import io.millrace.piece.PieceFailure;
import io.vertx.core.Future;
import java.util.Optional;

/** Reads the files that FILE properties name by URL. Plugged in from above: pieces open no connections themselves. */
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
     * Looks at a file that came in the value itself, as a data URI.
     *
     * @throws PieceFailure when it is too large (FileSizeError)
     */
    default void requireAllowed(FileValue held) {}
}
