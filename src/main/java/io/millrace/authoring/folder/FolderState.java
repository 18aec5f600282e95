package io.millrace.authoring.folder;

import io.millrace.base.core.input.Fields;
import java.util.Optional;

/**
 * Portable state of a folder between projects (contract admin-api 11).
 *
 * @param key key that flows of the same document refer to: its id there, or its external id
 * @param externalId null where folders are identified by name
 */
public record FolderState(String key, String externalId, String displayName, double displayOrder) {
    public static FolderState read(Fields given) {
        var externalId = given.text("externalId", 1, Folder.NAME_LENGTH_MAX);
        return new FolderState(
                given.optionalText("id").orElse(externalId),
                externalId,
                given.text("displayName", 1, Folder.NAME_LENGTH_MAX),
                Optional.ofNullable(given.changedNumber("displayOrder").or(0.0)).orElse(0.0));
    }

    boolean isLike(Folder folder) {
        return displayName.equals(folder.displayName()) && displayOrder == folder.displayOrder();
    }

    public static FolderState named(String displayName, double displayOrder) {
        return new FolderState(displayName, null, displayName, displayOrder);
    }

    public static FolderState readNamed(Fields given) {
        return named(
                given.text("displayName", 1, Folder.NAME_LENGTH_MAX),
                Optional.ofNullable(given.changedNumber("displayOrder").or(0.0)).orElse(0.0));
    }
}
