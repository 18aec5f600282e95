package io.millrace.authoring.table;

import io.millrace.authoring.folder.FolderContents;
import io.millrace.authoring.folder.FolderPlaces;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Placement of tables in folders, within transactions of other modules. */
public final class TablesInFolders implements FolderContents {
    private final TableStore store = new TableStore();

    @Override
    public Future<Map<String, Integer>> count(Tx tx, List<String> folderIds) {
        return store.countByFolder(tx, folderIds);
    }

    /** Names of the folders of tables, by the external ids of the tables. */
    public Future<Map<String, String>> places(Tx tx, String projectId) {
        return store.places(tx, projectId);
    }

    /** Moves tables into the folders of these names; tables without a name are removed from their folder. */
    public Future<Void> placeNamed(Tx tx, String projectId, List<String> externalIds, Map<String, String> folders) {
        return store.placeNamed(tx, projectId, externalIds, FolderPlaces.namesOf(externalIds, folders));
    }
}
