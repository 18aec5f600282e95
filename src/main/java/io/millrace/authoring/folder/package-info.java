/**
 * Folders of a project, into which flows and tables are sorted (contract admin-api 9).
 *
 * <p>What is in a folder lives in modules above, which name a folder in their rows: they count themselves through {@link
 * io.millrace.authoring.folder.FolderContents}, and find the folder that somebody asks for with {@link
 * io.millrace.authoring.folder.FolderPlaces} in transactions of their own. Start reading at {@link
 * io.millrace.authoring.folder.Folders}.
 */
package io.millrace.authoring.folder;
