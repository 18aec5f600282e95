package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.DistinctNames;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A field of a table: a column (contract flows-and-engine 22.1).
 *
 * @param externalId the same across environments; unique in the table
 * @param options choices of a STATIC_DROPDOWN; empty for other types
 */
public record TableField(
        String id,
        Instant created,
        Instant updated,
        String name,
        String externalId,
        String tableId,
        String projectId,
        FieldType type,
        List<String> options) {
    public TableField {
        options = List.copyOf(options);
    }

    static TableField of(NewField request, String id, Instant created, Table table) {
        return new TableField(
                id,
                created,
                created,
                request.name(),
                request.externalId().orElse(id),
                table.id(),
                table.projectId(),
                request.type(),
                request.options());
    }

    TableField named(String otherName) {
        return new TableField(id, created, updated, otherName, externalId, tableId, projectId, type, options);
    }

    TableField defined(String otherName, FieldType otherType, List<String> otherOptions) {
        return new TableField(id, created, updated, otherName, externalId, tableId, projectId, otherType, otherOptions);
    }

    /** The same field with the name and the options of a definition of the same type. */
    TableField defined(NewField request) {
        return new TableField(
                id, created, updated, request.name(), externalId, tableId, projectId, type, request.options());
    }

    private boolean isCalled(String key) {
        return id.equals(key) || externalId.equals(key) || name.equals(key);
    }

    /** A column of an export is also found by its numbered name. */
    public static Optional<TableField> find(List<TableField> fields, String key) {
        return fields.stream().filter(field -> field.isCalled(key)).findFirst().or(() -> {
            var place = distinctNames(fields).indexOf(key);
            return place < 0 ? Optional.empty() : Optional.of(fields.get(place));
        });
    }

    /** A repeated name is numbered, so that no value hides another one. */
    public static List<String> distinctNames(List<TableField> fields) {
        return DistinctNames.of(fields.stream().map(TableField::name).toList());
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", name)
                .put("externalId", externalId)
                .put("tableId", tableId)
                .put("projectId", projectId)
                .put("type", type.name());
        NewField.putData(json, type, options);
        return json;
    }
}
