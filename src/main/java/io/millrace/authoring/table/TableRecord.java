package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A record with its cells (contract flows-and-engine 22.1).
 *
 * @param cells by the id of their field
 * @param fields all fields of the table: one without a cell is shown with the value null
 */
public record TableRecord(
        String id,
        Instant created,
        Instant updated,
        String tableId,
        String projectId,
        Map<String, Value> cells,
        List<TableField> fields) {
    public record Value(String text, Instant created, Instant updated) {}

    public TableRecord {
        cells = Map.copyOf(cells);
        fields = List.copyOf(fields);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("tableId", tableId)
                .put("projectId", projectId);
        var list = json.putObject("cells");
        for (var field : fields) {
            var cell = cells.getOrDefault(field.id(), new Value(null, created, updated));
            list.putObject(field.id())
                    .put("fieldName", field.name())
                    .put("value", cell.text())
                    .put("created", Json.timestamp(cell.created()))
                    .put("updated", Json.timestamp(cell.updated()));
        }
        return json;
    }
}
