package io.millrace.integration.backup;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;

/** Storage of backups. */
public interface BackupTarget {
    /** The folder in which a backup is written first; made when it is not there. */
    Path folder();

    /** Takes over a file of that folder that is whole. */
    Future<Void> keep(Path backup);

    /** Names of all stored files, including backups. */
    Future<List<String>> names();

    Future<Void> drop(String name);
}
