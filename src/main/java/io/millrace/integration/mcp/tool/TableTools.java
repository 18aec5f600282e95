package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.NewField;
import io.millrace.authoring.table.NewTable;
import io.millrace.authoring.table.Table;
import io.millrace.authoring.table.TableField;
import io.millrace.authoring.table.TableFields;
import io.millrace.authoring.table.TableRecord;
import io.millrace.authoring.table.TableRecords;
import io.millrace.authoring.table.Tables;
import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.authoring.table.cell.FilterOperator;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.sandbox.expression.value.JsText;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Tools for the tables of the project in which they are called (contract flows-and-engine 28.2). */
final class TableTools {
    private static final long DEADLINE_MS = 60_000;
    private static final int FOUND_MAX = 100;
    private static final String TABLE_ID = "tableId";
    private static final String FIELD_ID = "fieldId";
    private static final String NAME = "name";
    private static final String OPERATION = "operation";
    private static final String RECORDS = "records";
    private static final String RECORD_ID = "recordId";
    private static final String RECORD_IDS = "recordIds";
    private static final String VALUES = "values";
    private static final String FILTERS = "filters";
    private static final String OPTIONS = "options";
    private static final String BY_COLUMN = "Values by name, id or external id of the field.";

    private final Bus bus;

    TableTools(Bus bus) {
        this.bus = bus;
    }

    List<Tool> all() {
        return Stream.of(looking(), changingTables(), changingRecords())
                .flatMap(List::stream)
                .toList();
    }

    private List<Tool> looking() {
        return List.of(
                Tool.of(
                        Permission.READ_TABLE,
                        "ap_list_tables",
                        "List tables",
                        "Lists the tables of the project with their fields.",
                        ToolInput.none(),
                        ToolSpec.Effect.READS,
                        this::list),
                Tool.of(
                        Permission.READ_TABLE,
                        "ap_find_records",
                        "Find records",
                        "Finds records of a table, oldest first, at most " + FOUND_MAX + ".",
                        ofTable()
                                .list(
                                        FILTERS,
                                        "Conditions that all must hold: {field, operator, value}, with an operator of "
                                                + words() + "."),
                        ToolSpec.Effect.READS,
                        this::find));
    }

    private List<Tool> changingTables() {
        return List.of(
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_create_table",
                        "Create a table",
                        "Creates a table.",
                        ToolInput.none()
                                .text(NAME, "Name of the table.")
                                .list(
                                        "fields",
                                        "Its fields: {name, type, options}, with a type of "
                                                + Arrays.toString(FieldType.values())
                                                + " and options for a STATIC_DROPDOWN only.")
                                .requiring(NAME),
                        ToolSpec.Effect.WRITES,
                        this::create),
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_delete_table",
                        "Delete a table",
                        "Deletes a table with all its records. This cannot be undone.",
                        ofTable(),
                        ToolSpec.Effect.DESTROYS,
                        this::delete),
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_manage_fields",
                        "Manage fields",
                        "Adds, renames or deletes a field of a table. Deleting a field deletes its values.",
                        ofTable()
                                .choice(OPERATION, "", "ADD", "RENAME", "DELETE")
                                .text(FIELD_ID, "The field to rename or to delete.")
                                .text(NAME, "Name of the field.")
                                .choice("type", "Type of a new field.", FieldType.class)
                                .list(OPTIONS, "Options of a new STATIC_DROPDOWN.")
                                .requiring(OPERATION),
                        ToolSpec.Effect.DESTROYS,
                        this::manage));
    }

    private List<Tool> changingRecords() {
        return List.of(
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_insert_records",
                        "Insert records",
                        "Adds records to a table.",
                        ofTable().list(RECORDS, BY_COLUMN).requiring(RECORDS),
                        ToolSpec.Effect.WRITES,
                        this::insert),
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_update_record",
                        "Update a record",
                        "Updates values of a record; the others stay.",
                        ofTable()
                                .text(RECORD_ID, "Id of the record.")
                                .object(VALUES, BY_COLUMN)
                                .requiring(RECORD_ID, VALUES),
                        ToolSpec.Effect.WRITES,
                        this::update),
                Tool.of(
                        Permission.WRITE_TABLE,
                        "ap_delete_records",
                        "Delete records",
                        "Deletes records of a table.",
                        ofTable().list(RECORD_IDS, "Ids of the records.").requiring(RECORD_IDS),
                        ToolSpec.Effect.DESTROYS,
                        this::deleteRecords));
    }

    private static ToolInput ofTable() {
        return ToolInput.none().text(TABLE_ID, "Id of the table.").requiring(TABLE_ID);
    }

    private static String words() {
        return Arrays.stream(FilterOperator.values())
                .map(FilterOperator::word)
                .toList()
                .toString();
    }

    private Future<ToolResult> list(Tool.Use use) {
        var page = new PageRequest(PageRequest.LIMIT_MAX, null, false);
        return bus.ask(new Tables.Find(Tables.Filter.all(use.projectId()), page), DEADLINE_MS)
                .compose(found -> {
                    var list = Json.array();
                    var done = Future.<Void>succeededFuture();
                    for (var table : found.data()) {
                        done = done.compose(_ -> fields(table.id())).map(fields -> {
                            list.add(described(table, fields));
                            return null;
                        });
                    }
                    return done.map(_ -> ToolResult.json(list));
                });
    }

    private static ObjectNode described(Table table, List<TableField> fields) {
        var json =
                Json.object().put(TABLE_ID, table.id()).put(NAME, table.name()).put("externalId", table.externalId());
        var list = json.putArray("fields");
        fields.forEach(field -> {
            var each = list.addObject()
                    .put(FIELD_ID, field.id())
                    .put(NAME, field.name())
                    .put("type", field.type().name());
            if (field.type() == FieldType.STATIC_DROPDOWN) {
                field.options().forEach(each.putArray(OPTIONS)::add);
            }
        });
        return json;
    }

    private Future<ToolResult> find(Tool.Use use) {
        return in(use, fields -> {
            var filters = new ArrayList<RecordFilter>();
            for (var given : use.arguments().path(FILTERS)) {
                var operator = FilterOperator.of(given.path("operator").asText());
                var field = TableField.find(fields, given.path("field").asText());
                if (operator.isEmpty() || field.isEmpty()) {
                    return Future.succeededFuture(
                            ToolResult.failed("expected a filter with a field of the table and one of " + words()));
                }
                filters.add(new RecordFilter(field.get().id(), operator.get(), JsText.inserted(given.path("value"))));
            }
            var page = new PageRequest(FOUND_MAX, null, false);
            return bus.ask(new TableRecords.Find(use.text(TABLE_ID), filters, page), DEADLINE_MS)
                    .map(found -> ToolResult.json(shown(found.data())));
        });
    }

    private static JsonNode shown(List<TableRecord> records) {
        var list = Json.array();
        records.forEach(record -> list.add(shown(record)));
        return list;
    }

    /** A repeated field name is numbered. */
    private static ObjectNode shown(TableRecord record) {
        var json = Json.object().put(RECORD_ID, record.id());
        var values = json.putObject(VALUES);
        var names = TableField.distinctNames(record.fields()).iterator();
        record.toJson().path("cells").forEach(cell -> values.set(names.next(), cell.path("value")));
        return json;
    }

    private Future<ToolResult> create(Tool.Use use) {
        var body = Fields.of("arguments", use.arguments());
        var fields = new ArrayList<NewField>();
        for (var given : use.arguments().path("fields")) {
            fields.add(newField(body.element("fields", fields.size(), given)));
        }
        body.done();
        var request = new NewTable(use.text(NAME), fields, Optional.empty(), Optional.empty(), Optional.empty());
        return bus.ask(new Tables.Create(use.projectId(), request), DEADLINE_MS)
                .compose(table -> fields(table.id())
                        .map(made -> ToolResult.done("The table was created.", described(table, made))));
    }

    private static NewField newField(Fields given) {
        return new NewField(
                given.text(NAME, 1, Fields.NAME_LENGTH_MAX),
                given.optionalOption("type", FieldType.class).orElse(FieldType.TEXT),
                Optional.empty(),
                given.texts(OPTIONS));
    }

    private Future<ToolResult> delete(Tool.Use use) {
        return in(
                use,
                _ -> bus.ask(new Tables.Delete(use.by(), use.text(TABLE_ID)), DEADLINE_MS)
                        .map(_ -> ToolResult.done("The table was deleted.")));
    }

    private Future<ToolResult> manage(Tool.Use use) {
        return in(use, fields -> {
            if (use.text(OPERATION).equals("ADD")) {
                var body = Fields.of("arguments", use.arguments());
                var request = newField(body);
                body.done();
                return bus.ask(new TableFields.Create(use.text(TABLE_ID), request), DEADLINE_MS)
                        .map(field -> ToolResult.done("The field was added.", field.toJson()));
            }
            var field = TableField.find(fields, use.text(FIELD_ID))
                    .orElseThrow(() -> ApiException.notFound("field", use.text(FIELD_ID)));
            return use.text(OPERATION).equals("DELETE")
                    ? bus.ask(new TableFields.Delete(field.id()), DEADLINE_MS)
                            .map(_ -> ToolResult.done("The field was deleted."))
                    : rename(use, field);
        });
    }

    private Future<ToolResult> rename(Tool.Use use, TableField field) {
        var body = Fields.of("arguments", use.arguments());
        var name = body.text(NAME, 1, Fields.NAME_LENGTH_MAX);
        body.done();
        return bus.ask(new TableFields.Rename(field.id(), name), DEADLINE_MS)
                .map(renamed -> ToolResult.done("The field was renamed.", renamed.toJson()));
    }

    private Future<ToolResult> insert(Tool.Use use) {
        return in(use, fields -> {
            var rows = new ArrayList<List<CellValue>>();
            use.arguments().path(RECORDS).forEach(row -> rows.add(cells(fields, row)));
            return bus.ask(new TableRecords.Create(use.text(TABLE_ID), rows, Optional.empty()), DEADLINE_MS)
                    .map(made -> ToolResult.done("The records were added.", shown(made)));
        });
    }

    private static List<CellValue> cells(List<TableField> fields, JsonNode values) {
        var cells = new ArrayList<CellValue>();
        values.properties().forEach(value -> {
            var field = TableField.find(fields, value.getKey())
                    .orElseThrow(() -> ApiException.notFound("field", value.getKey()));
            cells.add(new CellValue(field.id(), JsText.inserted(value.getValue())));
        });
        return cells;
    }

    private Future<ToolResult> update(Tool.Use use) {
        return in(
                use,
                fields -> bus.ask(
                                new TableRecords.Update(
                                        use.text(TABLE_ID),
                                        use.text(RECORD_ID),
                                        cells(fields, use.arguments().path(VALUES)),
                                        false,
                                        Optional.empty()),
                                DEADLINE_MS)
                        .map(record -> ToolResult.done("The record was updated.", shown(record))));
    }

    private Future<ToolResult> deleteRecords(Tool.Use use) {
        return in(use, _ -> {
            var ids = new ArrayList<String>();
            use.arguments().path(RECORD_IDS).forEach(id -> ids.add(id.asText()));
            return bus.ask(new TableRecords.Delete(use.text(TABLE_ID), ids), DEADLINE_MS)
                    .map(_ -> ToolResult.done("The records were deleted."));
        });
    }

    /** Fails with ENTITY_NOT_FOUND for a table of another project, as for an unknown one. */
    private Future<ToolResult> in(Tool.Use use, Function<List<TableField>, Future<ToolResult>> work) {
        var tableId = use.text(TABLE_ID);
        return bus.ask(new Tables.ProjectOf(tableId), DEADLINE_MS)
                .compose(projectId -> {
                    if (!projectId.equals(use.projectId())) {
                        throw ApiException.notFound("table", tableId);
                    }
                    return fields(tableId);
                })
                .compose(work);
    }

    private Future<List<TableField>> fields(String tableId) {
        return bus.ask(new TableFields.ListOf(tableId), DEADLINE_MS);
    }
}
