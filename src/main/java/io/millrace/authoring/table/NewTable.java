package io.millrace.authoring.table;

import java.util.List;
import java.util.Optional;

/**
 * A table as it is asked for.
 *
 * @param externalId generated when empty
 * @param folderName found or made; the id wins over it
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
