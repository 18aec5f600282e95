package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.FieldType;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;

/** Requests about fields. Handled by {@link FieldService}. */
public sealed interface TableFields {
    /** Fails with VALIDATION for a duplicate external id, or too many fields. */
    record Create(String tableId, NewField request) implements TableFields, BusRequest<TableField> {}

    /** All fields of a table, oldest first. */
    record ListOf(String tableId) implements TableFields, BusRequest<List<TableField>> {}

    record Get(String fieldId) implements TableFields, BusRequest<TableField> {}

    record Rename(String fieldId, String name) implements TableFields, BusRequest<TableField> {}

    /** The texts of its cells stay; those that do not fit the type have no value for filters. */
    record Define(String fieldId, String name, FieldType type, List<String> options)
            implements TableFields, BusRequest<TableField> {}

    record Delete(String fieldId) implements TableFields, BusRequest<Nothing> {}

    /** The project of a field; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String fieldId) implements TableFields, BusRequest<String> {}
}
