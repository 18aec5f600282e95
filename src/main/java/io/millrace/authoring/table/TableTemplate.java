package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/** Exports a table as a template: its definition without its records (contract admin-api 6.1). */
final class TableTemplate {
    private TableTemplate() {}

    static ObjectNode shared(Table table, List<TableField> fields) {
        var template = Json.object()
                .put("name", table.name())
                .put("summary", "")
                .put("description", "")
                .put("blogUrl", "");
        template.putArray("tags");
        template.putArray("categories");
        template.putArray("pieces");
        template.putArray("flows");
        template.putArray("tables").add(TableState.of(table, fields).toTemplate());
        template.putObject("metadata").put("externalId", table.externalId());
        return template.put("author", "").put("type", "SHARED").put("status", "PUBLISHED");
    }
}
