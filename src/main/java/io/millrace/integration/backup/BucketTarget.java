package io.millrace.integration.backup;

import io.millrace.piece.file.LargeObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A bucket. A backup is first written to disk and verified, then uploaded atomically as one object. */
public final class BucketTarget implements BackupTarget {
    private static final String CONTENT_TYPE = "application/octet-stream";

    private final Vertx vertx;
    private final LargeObjects objects;
    private final String prefix;
    private final Path folder;

    /**
     * @param prefix of the keys; empty, or ends in a slash
     * @param folder folder in which backups are first written
     */
    public BucketTarget(Vertx vertx, LargeObjects objects, String prefix, Path folder) {
        this.vertx = vertx;
        this.objects = objects;
        this.prefix = prefix;
        this.folder = folder;
    }

    @Override
    public Path folder() {
        return folder;
    }

    /** Uploads the file and deletes it, also after a failure: the next backup needs its space. */
    @Override
    public Future<Void> keep(Path backup) {
        return objects.put(prefix + backup.getFileName(), backup, CONTENT_TYPE).eventually(() -> gone(backup));
    }

    private Future<Void> gone(Path backup) {
        return vertx.executeBlocking(
                () -> {
                    Files.deleteIfExists(backup);
                    return null;
                },
                false);
    }

    @Override
    public Future<List<String>> names() {
        return objects.keys(prefix)
                .map(keys ->
                        keys.stream().map(key -> key.substring(prefix.length())).toList());
    }

    @Override
    public Future<Void> drop(String name) {
        return objects.delete(prefix + name);
    }
}
