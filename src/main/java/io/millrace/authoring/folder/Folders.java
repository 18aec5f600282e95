package io.millrace.authoring.folder;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;

/** Requests about folders, and notices of changes. Handled by {@link FolderService}. */
public sealed interface Folders {
    /** Creates a folder, or renames the one of that name; names are compared without regard to case. */
    record Put(Principal by, String projectId, String displayName)
            implements Folders, BusRequest<Folder.FolderCounts> {}

    record Get(String folderId) implements Folders, BusRequest<Folder.FolderCounts> {}

    /** The folders of a project, oldest first. */
    record Find(String projectId, PageRequest page) implements Folders, BusRequest<Page<Folder.FolderCounts>> {}

    /** Renames a folder. Fails with ENTITY_NOT_FOUND, or with VALIDATION when another folder has the name. */
    record Rename(Principal by, String folderId, String displayName)
            implements Folders, BusRequest<Folder.FolderCounts> {}

    /** Deletes a folder; its flows are then outside folders. */
    record Delete(Principal by, String folderId) implements Folders, BusRequest<Nothing> {}

    /** The project of a folder; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String folderId) implements Folders, BusRequest<String> {}

    record Created(Principal by, Folder folder) implements Folders, Notice {}

    record Updated(Principal by, Folder folder) implements Folders, Notice {}

    record Deleted(Principal by, Folder folder) implements Folders, Notice {}
}
