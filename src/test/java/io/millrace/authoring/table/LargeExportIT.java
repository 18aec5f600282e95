package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Exports of a large table: each request gets a response, also concurrently. {@code -Dtable.export.rows=100000} exports
 * a large one.
 */
class LargeExportIT {
    private static final int ROWS = Integer.getInteger("table.export.rows", 3_000);
    private static final int ROWS_AT_ONCE = 200;

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_MAX_RECORDS_PER_TABLE", String.valueOf(ROWS)), List.of());

    private static ApiClient api;
    private static String path;

    @BeforeAll
    static void fill() {
        var admin = server.signUp("ada@example.com", "Ada");
        api = admin.api();
        var table = Json.object().put("projectId", admin.projectId()).put("name", "Large");
        table.putArray("fields").addObject().put("name", "Name").put("type", "TEXT");
        var tableId = api.post("/v1/tables", table).text("/id");
        var fieldId = api.get("/v1/fields?tableId=" + tableId).text("/0/id");
        for (var first = 0; first < ROWS; first += ROWS_AT_ONCE) {
            assertThat(api.post("/v1/records", records(tableId, fieldId, first)).status())
                    .isEqualTo(201);
        }
        path = "/v1/tables/" + tableId + "/export";
    }

    private static ObjectNode records(String tableId, String fieldId, int first) {
        var request = Json.object().put("tableId", tableId);
        var records = request.putArray("records");
        for (var number = first; number < Math.min(ROWS, first + ROWS_AT_ONCE); number++) {
            records.addArray().addObject().put("fieldId", fieldId).put("value", "Müller; \"" + number + "\"");
        }
        return request;
    }

    @Test
    void exportsAllRows_inOrder() {
        var rows = api.get(path).body().path("rows");

        assertThat(rows).hasSize(ROWS);
        for (var number = 0; number < ROWS; number++) {
            assertThat(rows.get(number).path("Name").asText()).isEqualTo("Müller; \"" + number + "\"");
        }
    }

    @Test
    void answersEachOfSeveralExportsAtOnce() {
        var answers = Stream.generate(() -> api.getAsync(path)).limit(6).toList().stream()
                .map(answer -> answer.join())
                .toList();

        // A large response is refused while others wait for their readers; no connection is dropped.
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503));
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 200)
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(answer.body().path("rows")).hasSize(ROWS));
    }
}
