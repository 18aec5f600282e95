package io.millrace.flow;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Notice;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;

/** What one may ask of folders, and what folders announce. Answered by {@link FolderService}. */
public sealed interface Folders {
    /** Creates a folder, or renames the one of that name: a name is the same in capitals and in small letters. */
    record Put(Principal by, String projectId, String displayName) implements Folders, Request<Folder.Counted> {}

    record Get(String folderId) implements Folders, Request<Folder.Counted> {}

    /** The folders of a project, oldest first. */
    record Find(String projectId, PageRequest page) implements Folders, Request<Page<Folder.Counted>> {}

    /** Renames a folder. Fails with ENTITY_NOT_FOUND, or with VALIDATION when another folder has the name. */
    record Rename(Principal by, String folderId, String displayName) implements Folders, Request<Folder.Counted> {}

    /** Deletes a folder; its flows are in none then. */
    record Delete(Principal by, String folderId) implements Folders, Request<Nothing> {}

    /** The project of a folder; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String folderId) implements Folders, Request<String> {}

    record Created(Principal by, Folder folder) implements Folders, Notice {}

    record Updated(Principal by, Folder folder) implements Folders, Notice {}

    record Deleted(Principal by, Folder folder) implements Folders, Notice {}
}
