package io.millrace.authoring.table;

import io.millrace.authoring.folder.FolderContents;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Tells the module of flows how many tables its folders have. */
public final class TablesInFolders implements FolderContents {
    private final TableStore store = new TableStore();

    @Override
    public Future<Map<String, Integer>> count(Tx tx, List<String> folderIds) {
        return store.countByFolder(tx, folderIds);
    }
}
