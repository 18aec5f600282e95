package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records over HTTP: values, order and filters (contract flows-and-engine 22). */
class RecordIT extends TableBench {
    @Test
    void keepsEveryValueAsAText_andDropsUnknownFields() {
        // Given
        var tableId = post("/v1/tables", table("Values")).text("/id");
        var request = Json.object().put("tableId", tableId);
        var row = request.putArray("records").addArray();
        row.addObject()
                .put("fieldId", field(tableId, "Name"))
                .putObject("value")
                .put("k", 1);
        row.addObject().put("fieldId", field(tableId, "Amount")).putNull("value");
        row.addObject().put("fieldId", Ids.next()).put("value", "lost");

        // When
        var made = post("/v1/records", request);

        // Then
        assertThat(made.status()).isEqualTo(201);
        var cells = made.body().path(0).path("cells");
        assertThat(cells.size()).isEqualTo(3);
        assertThat(cell(made.body().path(0), tableId, "Name").asText()).isEqualTo("{\"k\":1}");
        assertThat(cell(made.body().path(0), tableId, "Amount").asText()).isEmpty();
        assertThat(cell(made.body().path(0), tableId, "Amount").isNull()).isFalse();
        assertThat(cell(made.body().path(0), tableId, "Due").isNull()).isTrue();
        assertThat(get("/v1/records/" + made.body().at("/0/id").asText()).body())
                .isEqualTo(made.body().path(0));
    }

    @Test
    void writesCellsThatAreNamed_ofARecordOfTheTable() {
        // Given
        var tableId = post("/v1/tables", table("Updates")).text("/id");
        var record = add(tableId, "wheat", "1", "").path(0);
        var path = "/v1/records/" + record.path("id").asText();
        var request = Json.object().put("tableId", tableId);
        request.putArray("cells")
                .addObject()
                .put("fieldId", field(tableId, "Amount"))
                .put("value", 2);

        // When
        var changed = post(path, request);
        var elsewhere = post(
                path,
                request.deepCopy()
                        .put("tableId", post("/v1/tables", table("Other")).text("/id")));

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(cell(changed.body(), tableId, "Name").asText()).isEqualTo("wheat");
        assertThat(cell(changed.body(), tableId, "Amount").asText()).isEqualTo("2");
        assertThat(elsewhere.status()).isEqualTo(404);
    }

    @Test
    void filtersByTheNewTypeOfAField_whoseTextsStay() {
        // Given
        var tableId = post("/v1/tables", table("Retyped")).text("/id");
        add(tableId, "2026-03-01", "1", "");
        add(tableId, "2026-01-01", "1", "");
        add(tableId, "soon", "1", "");
        var fieldId = field(tableId, "Name");
        var late = "/v1/records?tableId=" + tableId + "&filters="
                + encoded(Json.text(Json.object()
                        .put("fieldId", fieldId)
                        .put("operator", "gt")
                        .put("value", "2026-02-01")));

        // When
        var changed =
                post("/v1/fields/" + fieldId, Json.object().put("name", "Name").put("type", "DATE"));

        // Then
        assertThat(changed.text("/type")).isEqualTo("DATE");
        assertThat(get(late)
                        .body()
                        .path("data")
                        .valueStream()
                        .map(record -> cell(record, tableId, "Name").asText()))
                .containsExactly("2026-03-01");
        assertThat(get("/v1/records?tableId=" + tableId)
                        .body()
                        .path("data")
                        .valueStream()
                        .map(record -> cell(record, tableId, "Name").asText()))
                .containsExactly("2026-03-01", "2026-01-01", "soon");
        assertThat(post(
                                "/v1/fields/" + fieldId,
                                Json.object().put("name", "Name").put("type", "STATIC_DROPDOWN"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void takesAsManyRecordsAsAreAllowed_andAllOrNone() {
        // Given
        var tableId = post("/v1/tables", table("Room")).text("/id");
        for (var count = 1; count < RECORDS_MAX; count++) {
            add(tableId, "record " + count, "", "");
        }

        // When
        var two = post("/v1/records", rows(tableId, List.of("a", "b")));
        var one = post("/v1/records", rows(tableId, List.of("a")));
        var more = post("/v1/records", rows(tableId, List.of("b")));
        var ids = Json.object().put("tableId", tableId);
        ids.putArray("ids").add(one.body().at("/0/id").asText()).add(Ids.next());
        var removed = send("DELETE", "/v1/records", ids);
        var again = post("/v1/records", rows(tableId, List.of("c")));

        // Then
        assertThat(two.status()).isEqualTo(409);
        assertThat(one.status()).isEqualTo(201);
        assertThat(more.status()).isEqualTo(409);
        assertThat(removed.status()).isEqualTo(200);
        assertThat(removed.body().isEmpty()).isTrue();
        assertThat(again.status()).isEqualTo(201);
        assertThat(server.count("select count(*) from table_record where table_id = $1", tableId))
                .isEqualTo(RECORDS_MAX);
    }

    @Test
    void listsRecordsInTheirOrder_pageByPage_forwardsAndBack() {
        // Given
        var tableId = post("/v1/tables", table("Pages")).text("/id");
        post("/v1/records", rows(tableId, List.of("1", "2", "3", "4", "5")));
        var path = "/v1/records?limit=2&tableId=" + tableId;

        // When
        var first = get(path);
        var second = get(path + "&cursor=" + first.text("/next"));
        var third = get(path + "&cursor=" + second.text("/next"));
        var back = get(path + "&cursor=" + third.text("/previous"));

        // Then
        assertThat(names(first, tableId)).containsExactly("1", "2");
        assertThat(names(second, tableId)).containsExactly("3", "4");
        assertThat(names(third, tableId)).containsExactly("5");
        assertThat(third.body().path("next").isNull()).isTrue();
        assertThat(names(back, tableId)).containsExactly("3", "4");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            Name,   eq,         Rye,                  rye 2
            Name,   eq,         rye,                  rye
            Name,   neq,        rye,                  Rye oat blank
            Name,   co,         y,                    rye Rye
            Name,   co,         R,                    Rye
            Name,   gt,         1,                    none
            Name,   exists,     -,                    rye Rye oat
            Name,   not_exists, -,                    blank absent
            Amount, gt,         9,                    Rye blank
            Amount, gte,        9,                    rye Rye blank
            Amount, lt,         10.0,                 rye
            Amount, lte,        1e1,                  rye Rye
            Amount, gt,         many,                 none
            Amount, eq,         10.0,                 none
            Due,    gt,         2026-03-01,           Rye oat
            Due,    gte,        2026-03-01,           rye Rye oat
            Due,    lt,         2026-03-01T02:00,     rye Rye
            Due,    lte,        2026-03-01T01:00:00Z, rye Rye
            Due,    eq,         2026-03-01,           rye
            Due,    gt,         someday,              none
            """)
    void filtersAsInTheContract(String field, String operator, String value, String expected) {
        // Given
        var tableId = grain();
        var filter = "&filters[0][fieldId]=" + field(tableId, field) + "&filters[0][operator]=" + operator
                + (value == null ? "" : "&filters[0][value]=" + encoded(value));
        var wanted = switch (expected) {
            case "none" -> List.<String>of();
            case "rye 2" -> List.of("Rye");
            default -> List.of(expected.split(" "));
        };

        // When
        var found = get(
                "/v1/records?tableId=" + tableId + filter.replace("[", "%5B").replace("]", "%5D"));

        // Then
        assertThat(found.status()).isEqualTo(200);
        assertThat(marks(found)).containsExactlyElementsOf(wanted);
    }

    /** Five records, identified by their order of creation. */
    private String grain() {
        if (grain == null) {
            grain = post("/v1/tables", table("Grain")).text("/id");
            add(grain, "rye", "9", "2026-03-01");
            add(grain, "Rye", "10", "2026-03-01T03:00:00+02:00");
            add(grain, "oat", "a lot", "2026-03-02 00:00");
            add(grain, "", "11", "soon");
            var absent = Json.object().put("tableId", grain);
            absent.putArray("records").addArray();
            post("/v1/records", absent);
        }
        return grain;
    }

    private static String grain;

    private List<String> marks(Answer found) {
        var all = get("/v1/records?limit=100&tableId=" + grain)
                .body()
                .path("data")
                .findValuesAsText("id");
        var marks = List.of("rye", "Rye", "oat", "blank", "absent");
        return ids(found).stream().map(id -> marks.get(all.indexOf(id))).toList();
    }

    @Test
    void allFiltersMustHold_inWhicheverFormTheyAreGiven() {
        // Given
        var tableId = grain();
        var first = Json.object()
                .put("fieldId", field(tableId, "Name"))
                .put("operator", "co")
                .put("value", "y");
        var second = Json.object()
                .put("fieldId", field(tableId, "Amount"))
                .put("operator", "gt")
                .put("value", 9);

        // When
        var each = get("/v1/records?tableId=" + tableId + "&filters=" + encoded(Json.text(first)) + "&filters="
                + encoded(Json.text(second)));
        var list = get("/v1/records?tableId=" + tableId + "&filters="
                + encoded(Json.text(Json.array().add(first).add(second))));

        // Then
        assertThat(marks(each)).containsExactly("Rye");
        assertThat(marks(list)).containsExactly("Rye");
    }

    @Test
    void refusesFiltersThatAreNone_andFieldsOfOtherTables() {
        // Given
        var tableId = grain();
        var other = post("/v1/tables", table("Foreign")).text("/id");
        var path = "/v1/records?tableId=" + tableId + "&filters=";

        // When
        var foreign = get(path
                + encoded(Json.text(
                        Json.object().put("fieldId", field(other, "Name")).put("operator", "exists"))));
        var unknown = get(path
                + encoded(Json.text(Json.object()
                        .put("fieldId", field(tableId, "Name"))
                        .put("operator", "like")
                        .put("value", "x"))));
        var noJson = get(path + "rye");

        // Then
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text("/message")).contains("querystring/filters/0/operator");
        assertThat(noJson.status()).isEqualTo(400);
    }

    private static JsonNode cell(JsonNode record, String tableId, String name) {
        return record.path("cells").path(field(tableId, name)).path("value");
    }

    private static List<String> names(Answer page, String tableId) {
        var fieldId = field(tableId, "Name");
        var names = new ArrayList<String>();
        page.body()
                .path("data")
                .forEach(record -> names.add(
                        record.path("cells").path(fieldId).path("value").asText()));
        return names;
    }

    private static ObjectNode rows(String tableId, List<String> names) {
        var fieldId = field(tableId, "Name");
        var request = Json.object().put("tableId", tableId);
        var rows = request.putArray("records");
        names.forEach(
                name -> rows.addArray().addObject().put("fieldId", fieldId).put("value", name));
        return request;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
