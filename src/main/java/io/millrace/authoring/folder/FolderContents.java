package io.millrace.authoring.folder;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** How many of one kind are in folders: flows, or tables. Both live in modules above: plugged in at start. */
@FunctionalInterface
public interface FolderContents {
    /** By id of the folder; a folder with nothing in it may be missing. */
    Future<Map<String, Integer>> count(Tx tx, List<String> folderIds);
}
