package io.millrace.authoring.table;

import java.util.List;
import java.util.Optional;

/**
 * Definition of a new table.
 *
 * @param externalId generated when empty
 * @param folderName found or created; the folder id takes precedence
 */
public record NewTable(
        String name,
        List<NewField> fields,
        Optional<String> externalId,
        Optional<String> folderId,
        Optional<String> folderName) {
    public NewTable {
        fields = List.copyOf(fields);
    }
}
