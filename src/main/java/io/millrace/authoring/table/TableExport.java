package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All that is in a table, as clients write it into a CSV file (contract flows-and-engine 22.2). */
final class TableExport {
    private TableExport() {}

    /** Cells of a record come one after the other, and records in their order. A cell that is not there is empty. */
    static ObjectNode of(Table table, List<TableField> fields, List<RecordStore.Exported> cells) {
        var json = Json.object().put("name", table.name());
        var columns = json.putArray("fields");
        fields.forEach(field -> columns.addObject().put("id", field.id()).put("name", field.name()));
        var rows = json.putArray("rows");
        var names = fields.stream().collect(Collectors.toMap(TableField::id, Function.identity()));
        String recordId = null;
        ObjectNode row = null;
        for (var cell : cells) {
            if (!cell.recordId().equals(recordId)) {
                recordId = cell.recordId();
                row = rows.addObject();
                for (var field : fields) {
                    row.put(field.name(), "");
                }
            }
            if (cell.fieldId() != null) {
                row.put(names.get(cell.fieldId()).name(), cell.value());
            }
        }
        return json;
    }
}
