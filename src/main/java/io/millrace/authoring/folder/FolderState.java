package io.millrace.authoring.folder;

import io.millrace.base.core.Fields;
import java.util.Optional;

/**
 * A folder as it is carried from one project to another (contract admin-api 11).
 *
 * @param key by which flows of the same document name it: its id there, or its external id
 * @param externalId null where folders are known by their names
 */
public record FolderState(String key, String externalId, String displayName, double displayOrder) {
    /** Reads one of a document; what is wrong with it is recorded there. */
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

    /** A folder that is known by its name. */
    public static FolderState named(String displayName, double displayOrder) {
        return new FolderState(displayName, null, displayName, displayOrder);
    }

    /** Reads one that is known by its name. */
    public static FolderState readNamed(Fields given) {
        return named(
                given.text("displayName", 1, Folder.NAME_LENGTH_MAX),
                Optional.ofNullable(given.changedNumber("displayOrder").or(0.0)).orElse(0.0));
    }
}
