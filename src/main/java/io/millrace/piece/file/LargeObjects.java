package io.millrace.piece.file;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;

/** Keeps files of any size under keys, outside the database. */
public interface LargeObjects {
    /** Keeps a file; it is there whole or not at all. */
    Future<Void> put(String key, Path file, String contentType);

    /** Writes what is kept under a key to a file; fails where there is nothing. */
    Future<Void> get(String key, Path file);

    /** The keys that begin so, in their order; the first thousand. */
    Future<List<String>> keys(String prefix);

    /** Removes what is there; nothing there is good too. */
    Future<Void> delete(String key);
}
