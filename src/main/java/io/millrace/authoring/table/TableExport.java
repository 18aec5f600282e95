package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Content of a table, for a CSV file written by clients (contract flows-and-engine 22.2). */
final class TableExport {
    private TableExport() {}

    /** Expects the cells of a record to be adjacent, and records in order. A missing cell is empty. */
    static ObjectNode of(Table table, List<TableField> fields, List<RecordStore.ExportCell> cells) {
        var json = Json.object().put("name", table.name());
        var columns = json.putArray("fields");
        var names = namesOf(fields);
        names.forEach((id, name) -> columns.addObject().put("id", id).put("name", name));
        var rows = json.putArray("rows");
        String recordId = null;
        ObjectNode row = null;
        for (var cell : cells) {
            if (!cell.recordId().equals(recordId)) {
                recordId = cell.recordId();
                row = rows.addObject();
                for (var name : names.values()) {
                    row.put(name, "");
                }
            }
            if (cell.fieldId() != null) {
                row.put(names.get(cell.fieldId()), cell.value());
            }
        }
        return json;
    }

    /** Column names by field; a row is an object, so duplicate names are numbered. */
    private static Map<String, String> namesOf(List<TableField> fields) {
        var distinct = TableField.distinctNames(fields);
        var names = new LinkedHashMap<String, String>();
        for (var index = 0; index < fields.size(); index++) {
            names.put(fields.get(index).id(), distinct.get(index));
        }
        return names;
    }
}
