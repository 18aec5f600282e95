package io.millrace.authoring.flow;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** How many tables are in folders. Tables live in the module above: plugged in at start. */
@FunctionalInterface
public interface FolderTables {
    /** By id of the folder; a folder without tables may be missing. */
    Future<Map<String, Integer>> count(Tx tx, List<String> folderIds);
}
