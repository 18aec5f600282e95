package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Fields of deleted projects are excluded. */
final class FieldStore {
    /** Name of the constraint that makes external ids unique. */
    static final String EXTERNAL_ID = "table_field_external_id";

    private static final String SELECT = """
            select f.id, f.created, f.updated, f.name, f.external_id, f.table_id, f.project_id, f.type,
                   f.data::text as data
              from table_field f
              join project p on p.id = f.project_id
             where p.deleted is null
            """;

    private static final RowMapper<TableField> FIELDS =
            RowMapper.of(FieldRow.class, SELECT).as(FieldRow::field);

    private record FieldRow(
            String id,
            Instant created,
            Instant updated,
            String name,
            String externalId,
            String tableId,
            String projectId,
            FieldType type,
            Optional<JsonNode> data) {
        TableField field() {
            var options = data.map(json -> json.path("options").findValuesAsText("value"));
            return new TableField(
                    id, created, updated, name, externalId, tableId, projectId, type, options.orElse(List.of()));
        }
    }

    private static final String INSERT = """
            insert into table_field (id, created, updated, table_id, project_id, name, external_id, type, data)
            select f.id, f.created, f.created, $1, $2, f.name, f.external_id, f.type, f.data::jsonb
              from unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[])
                   as f (id, created, name, external_id, type, data)
            """;

    Future<Void> insert(Tx tx, Table table, List<TableField> fields) {
        return tx.query(
                        INSERT,
                        table.id(),
                        table.projectId(),
                        Values.texts(fields, TableField::id),
                        Values.instants(fields, TableField::created),
                        Values.texts(fields, TableField::name),
                        Values.texts(fields, TableField::externalId),
                        Values.texts(fields, field -> field.type().name()),
                        Values.jsons(fields, FieldStore::dataOf))
                .mapEmpty();
    }

    private static JsonNode dataOf(TableField field) {
        return field.type() == FieldType.STATIC_DROPDOWN ? NewField.dataOf(field.options()) : null;
    }

    Future<List<TableField>> of(Tx tx, String tableId) {
        return tx.query(SELECT + " and f.table_id = $1 order by f.created, f.id", tableId)
                .map(FIELDS::all);
    }

    Future<List<TableField>> ofProject(Tx tx, String projectId) {
        return tx.query(SELECT + " and f.project_id = $1 order by f.created, f.id", projectId)
                .map(FIELDS::all);
    }

    Future<Optional<TableField>> find(Tx tx, String fieldId) {
        return tx.query(SELECT + " and f.id = $1", fieldId).map(FIELDS::first);
    }

    Future<Void> update(Tx tx, TableField field, Instant now) {
        return tx.query(
                        "update table_field set name = $2, type = $3, data = $4, updated = $5 where id = $1",
                        field.id(),
                        field.name(),
                        field.type().name(),
                        dataOf(field),
                        now)
                .mapEmpty();
    }

    Future<Void> delete(Tx tx, String fieldId) {
        return tx.query("delete from table_field where id = $1", fieldId).mapEmpty();
    }
}
