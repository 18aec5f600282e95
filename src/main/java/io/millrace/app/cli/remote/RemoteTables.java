package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The records of tables of one project at a running server: values by the external ids of their fields. */
final class RemoteTables {
    private static final int BATCH_RECORDS = 100;

    /** Well below the smallest body limit that a server can be configured with. */
    private static final int BATCH_CHARACTERS = 200_000;

    private final RemoteServer server;
    private final String projectId;

    RemoteTables(RemoteServer server, String projectId) {
        this.server = server;
        this.projectId = ProjectApi.checkedId(projectId);
    }

    /** Records by the external ids of their tables. */
    Map<String, List<ObjectNode>> records() {
        var records = new TreeMap<String, List<ObjectNode>>();
        ids().forEach((externalId, tableId) -> records.put(externalId, records(tableId)));
        return records;
    }

    private Map<String, String> ids() {
        var ids = new HashMap<String, String>();
        server.pages("/api/v1/tables?projectId=" + projectId)
                .forEach(table -> ids.put(
                        table.path("externalId").asText(), table.path("id").asText()));
        return ids;
    }

    private List<ObjectNode> records(String tableId) {
        var fields = fields(tableId, "id", "externalId");
        return server.pages("/api/v1/records?tableId=" + tableId).stream()
                .map(record -> {
                    var values = Json.object();
                    record.path("cells").properties().forEach(cell -> {
                        if (fields.containsKey(cell.getKey()) && cell.getValue().hasNonNull("value")) {
                            values.set(
                                    fields.get(cell.getKey()), cell.getValue().get("value"));
                        }
                    });
                    return values;
                })
                .toList();
    }

    private Map<String, String> fields(String tableId, String from, String to) {
        var fields = new HashMap<String, String>();
        server.list("/api/v1/fields?tableId=" + tableId)
                .forEach(field ->
                        fields.put(field.path(from).asText(), field.path(to).asText()));
        return fields;
    }

    void fill(String tableExternalId, List<? extends JsonNode> records) {
        var tableId = ids().get(tableExternalId);
        if (tableId == null) {
            throw RemoteException.data("the table " + tableExternalId + " was removed again with its records");
        }
        var fields = fields(tableId, "externalId", "id");
        var batch = Json.array();
        var characters = 0;
        for (var record : records) {
            var row = row(record, fields);
            var length = Json.text(row).length();
            if (batch.size() == BATCH_RECORDS || !batch.isEmpty() && characters + length > BATCH_CHARACTERS) {
                put(tableId, batch);
                batch = Json.array();
                characters = 0;
            }
            batch.add(row);
            characters += length;
        }
        if (!batch.isEmpty()) {
            put(tableId, batch);
        }
    }

    private static ArrayNode row(JsonNode record, Map<String, String> fields) {
        var row = Json.array();
        record.properties().forEach(value -> {
            if (fields.containsKey(value.getKey())) {
                row.addObject().put("fieldId", fields.get(value.getKey())).set("value", value.getValue());
            }
        });
        return row;
    }

    private void put(String tableId, ArrayNode batch) {
        var wanted = Json.object().put("tableId", tableId);
        wanted.set("records", batch);
        server.postForList("/api/v1/records", wanted);
    }
}
