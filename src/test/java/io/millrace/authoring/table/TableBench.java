package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Server with low limits of records and fields, its first project, and requests to its tables. */
abstract class TableBench {
    static final int RECORDS_MAX = 12;
    static final int FIELDS_MAX = 3;
    static TestServer server;
    static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of(
                "AP_MAX_RECORDS_PER_TABLE",
                String.valueOf(RECORDS_MAX),
                "AP_MAX_FIELDS_PER_TABLE",
                String.valueOf(FIELDS_MAX)));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> ids(Answer found) {
        var ids = new ArrayList<String>();
        found.body().path("data").forEach(record -> ids.add(record.path("id").asText()));
        return ids;
    }

    static ObjectNode table(String name) {
        var table = Json.object().put("name", name).put("projectId", admin.projectId());
        var fields = table.putArray("fields");
        fields.addObject().put("name", "Name").put("type", "TEXT");
        fields.addObject().put("name", "Amount").put("type", "NUMBER").put("externalId", "amount");
        fields.addObject().put("name", "Due").put("type", "DATE");
        return table;
    }

    static String field(String tableId, String name) {
        for (var field : get("/v1/fields?tableId=" + tableId).body()) {
            if (field.path("name").asText().equals(name)) {
                return field.path("id").asText();
            }
        }
        throw new AssertionError("expected a field " + name);
    }

    static JsonNode add(String tableId, String name, String amount, String due) {
        var request = Json.object().put("tableId", tableId);
        var row = request.putArray("records").addArray();
        row.addObject().put("fieldId", field(tableId, "Name")).put("value", name);
        row.addObject().put("fieldId", field(tableId, "Amount")).put("value", amount);
        row.addObject().put("fieldId", field(tableId, "Due")).put("value", due);
        return post("/v1/records", request).body();
    }

    static Answer get(String path) {
        return admin.api().get(path);
    }

    static Answer post(String path, JsonNode body) {
        return admin.api().post(path, body);
    }

    static Answer send(String method, String path, JsonNode body) {
        return admin.api().send(method, path, Map.of("Content-Type", "application/json"), Json.text(body));
    }
}
