package io.millrace.piece.file;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;

/** Store for files of any size under keys, outside the database. */
public interface LargeObjects {
    /** Stores a file atomically. */
    Future<Void> put(String key, Path file, String contentType);

    /** Writes the object of a key to a file; fails where there is none. */
    Future<Void> get(String key, Path file);

    /** Keys with a prefix, in order; at most a thousand. */
    Future<List<String>> keys(String prefix);

    /** Removes the object of a key, if it exists. */
    Future<Void> delete(String key);
}
