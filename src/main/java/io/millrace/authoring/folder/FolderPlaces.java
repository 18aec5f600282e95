package io.millrace.authoring.folder;

import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Folders for what the module above keeps in a project, as part of its transactions. */
public final class FolderPlaces {
    private final RowBound bound;
    private final FolderStore store = new FolderStore();

    /** @param bound of the folders of a project */
    public FolderPlaces(RowBound bound) {
        this.bound = bound;
    }

    /** The folder of that id, which stays until the transaction ends; fails with ENTITY_NOT_FOUND. */
    public Future<String> hold(Tx tx, String projectId, String folderId) {
        return store.hold(tx, projectId, folderId).map(isThere -> {
            if (!isThere) {
                throw ApiException.notFound("folder", folderId);
            }
            return folderId;
        });
    }

    /** The folder that a wish names, by its id or else by its name, which makes one where there is none. */
    public Future<Optional<String>> find(
            Tx tx, String projectId, Optional<String> folderId, Optional<String> folderName, Instant now) {
        if (folderId.isPresent()) {
            return hold(tx, projectId, folderId.get()).map(Optional::of);
        }
        return folderName
                .map(name -> store.findOrInsert(tx, FolderService.fresh(projectId, name, now))
                        .compose(put -> store.bounded(tx, put, bound))
                        .map(put -> Optional.of(put.folder().id())))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    /** The name for each external id; empty for what is in no folder. */
    public static List<String> namesOf(List<String> externalIds, Map<String, String> folders) {
        return externalIds.stream().map(id -> folders.getOrDefault(id, "")).toList();
    }
}
