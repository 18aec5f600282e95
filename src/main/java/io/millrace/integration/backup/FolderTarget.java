package io.millrace.integration.backup;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder of this host, local or mounted: a written backup needs no upload. */
public final class FolderTarget implements BackupTarget {
    private final Vertx vertx;
    private final Path folder;

    public FolderTarget(Vertx vertx, Path folder) {
        this.vertx = vertx;
        this.folder = folder;
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public Future<Void> keep(Path backup) {
        return Future.succeededFuture();
    }

    @Override
    public Future<List<String>> names() {
        return vertx.executeBlocking(
                () -> {
                    if (!Files.isDirectory(folder)) {
                        return List.of();
                    }
                    try (var files = Files.list(folder)) {
                        return files.map(file -> file.getFileName().toString()).toList();
                    }
                },
                false);
    }

    @Override
    public Future<Void> drop(String name) {
        return vertx.executeBlocking(
                () -> {
                    Files.deleteIfExists(folder.resolve(name));
                    return null;
                },
                false);
    }
}
