/**
 * Folders of a project, into which flows and tables are sorted (contract admin-api 9).
 *
 * <p>The content of folders belongs to modules above, whose rows contain a folder id: they provide counts through
 * {@link io.millrace.authoring.folder.FolderContents}, and find a requested folder with
 * {@link io.millrace.authoring.folder.FolderPlaces} in their transactions. Start reading at
 * {@link io.millrace.authoring.folder.Folders}.
 */
package io.millrace.authoring.folder;
