package io.millrace.table;

import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import java.util.List;

/** What one may ask of fields. Answered by {@link FieldService}. */
public sealed interface TableFields {
    /** Fails with VALIDATION for an external id that is taken, or too many fields. */
    record Create(String tableId, NewField wish) implements TableFields, Request<TableField> {}

    /** All fields of a table, oldest first. */
    record ListOf(String tableId) implements TableFields, Request<List<TableField>> {}

    record Get(String fieldId) implements TableFields, Request<TableField> {}

    record Rename(String fieldId, String name) implements TableFields, Request<TableField> {}

    /** Deletes a field with its cells. */
    record Delete(String fieldId) implements TableFields, Request<Nothing> {}

    /** The project of a field; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String fieldId) implements TableFields, Request<String> {}
}
