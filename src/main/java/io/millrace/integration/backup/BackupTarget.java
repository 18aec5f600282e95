package io.millrace.integration.backup;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;

public interface BackupTarget {
    /** The folder in which a backup is first written; created if missing. */
    Path folder();

    /** Stores a complete file of that folder. */
    Future<Void> keep(Path backup);

    /** Names of all stored files, including backups. */
    Future<List<String>> names();

    Future<Void> drop(String name);
}
