package io.millrace.authoring.table;

import io.millrace.base.core.Change;
import java.util.Optional;

/** What an update wants of a table; null clears what is not the name. */
public record TableChanges(
        Optional<String> name, Change<String> folderId, Change<TableStatus> status, Change<TableTrigger> trigger) {
    /** Another name and nothing else. */
    public static TableChanges named(String name) {
        return new TableChanges(Optional.of(name), Change.keep(), Change.keep(), Change.keep());
    }
}
