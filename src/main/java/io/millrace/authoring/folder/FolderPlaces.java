package io.millrace.authoring.folder;

import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Folders for content of the module above, within its transactions. */
public final class FolderPlaces {
    private final RowBound bound;
    private final FolderStore store = new FolderStore();

    public FolderPlaces(RowBound bound) {
        this.bound = bound;
    }

    /** Locks the folder of an id until the transaction ends; fails with ENTITY_NOT_FOUND. */
    public Future<String> hold(Tx tx, String projectId, String folderId) {
        return store.hold(tx, projectId, folderId).map(isThere -> {
            if (!isThere) {
                throw ApiException.notFound("folder", folderId);
            }
            return folderId;
        });
    }

    /** The requested folder, by its id or else by its name; a missing name is created. */
    public Future<Optional<String>> find(
            Tx tx, String projectId, Optional<String> folderId, Optional<String> folderName, Instant now) {
        if (folderId.isPresent()) {
            return hold(tx, projectId, folderId.get()).map(Optional::of);
        }
        return folderName
                .map(name -> store.findOrInsert(tx, FolderService.fresh(projectId, name, now), bound)
                        .map(put -> Optional.of(put.folder().id())))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    /**
     * Folder of an object.
     *
     * @param displayName name of the folder
     */
    public record Place(String externalId, String displayName) {}

    public static Map<String, String> namesById(List<Place> places) {
        return places.stream().collect(Collectors.toMap(Place::externalId, Place::displayName));
    }

    /** The folder name for each external id; empty for content outside folders. */
    public static List<String> namesOf(List<String> externalIds, Map<String, String> folders) {
        return externalIds.stream().map(id -> folders.getOrDefault(id, "")).toList();
    }
}
