package io.millrace.authoring.flow;

import io.millrace.authoring.folder.FolderContents;
import io.millrace.authoring.folder.FolderPlaces;
import io.millrace.authoring.folder.FolderState;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Placement of flows in folders, within transactions of other modules. */
public final class FlowFolders implements FolderContents {
    private final FlowStore store = new FlowStore();

    @Override
    public Future<Map<String, Integer>> count(Tx tx, List<String> folderIds) {
        return store.countByFolder(tx, folderIds);
    }

    /**
     * Moves flows into folders.
     *
     * @param keys the folder of each flow by its external id, as the document names it
     */
    public Future<Void> place(Tx tx, String projectId, List<FolderState> folders, Map<String, String> keys) {
        var externalIds = new HashMap<String, String>();
        folders.forEach(folder -> externalIds.put(folder.key(), folder.externalId()));
        var done = Future.<Void>succeededFuture();
        for (var placed : keys.entrySet()) {
            var folder = externalIds.get(placed.getValue());
            if (folder != null) {
                done = done.compose(_ -> store.place(tx, projectId, placed.getKey(), folder));
            }
        }
        return done;
    }

    /** Names of the folders of flows, by the external ids of the flows. */
    public Future<Map<String, String>> places(Tx tx, String projectId) {
        return store.places(tx, projectId);
    }

    /** Moves flows into the folders of these names; flows without a name are removed from their folder. */
    public Future<Void> placeNamed(Tx tx, String projectId, List<String> externalIds, Map<String, String> folders) {
        return store.placeNamed(tx, projectId, externalIds, FolderPlaces.namesOf(externalIds, folders));
    }
}
