package io.millrace.authoring.table;

import io.millrace.base.core.input.FieldChange;
import java.util.Optional;

/** Changes of a table; null clears a value other than the name. */
public record TableChanges(
        Optional<String> name,
        FieldChange<String> folderId,
        FieldChange<TableStatus> status,
        FieldChange<TableTrigger> trigger) {
    public static TableChanges named(String name) {
        return new TableChanges(Optional.of(name), FieldChange.keep(), FieldChange.keep(), FieldChange.keep());
    }
}
