package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables, fields and records over HTTP (contract flows-and-engine 22). */
class TableIT {
    private static final int RECORDS_MAX = 12;
    private static final int FIELDS_MAX = 3;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of(
            "AP_MAX_RECORDS_PER_TABLE",
            String.valueOf(RECORDS_MAX),
            "AP_MAX_FIELDS_PER_TABLE",
            String.valueOf(FIELDS_MAX)));

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void makesATableWithFields_inAFolderByName() {
        // When
        var made = post("/v1/tables", table("Orders").put("folderName", "Sales").put("externalId", "orders-1"));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/externalId")).isEqualTo("orders-1");
        assertThat(made.body().path("status").isNull()).isTrue();
        var folder = get("/v1/folders/" + made.text("/folderId"));
        assertThat(folder.text("/displayName")).isEqualTo("Sales");
        assertThat(folder.body().path("numberOfTables").asInt()).isEqualTo(1);
        var fields = get("/v1/fields?tableId=" + made.text("/id")).body();
        assertThat(fields.findValuesAsText("name")).containsExactly("Name", "Amount", "Due");
        assertThat(fields.at("/1/externalId").asText()).isEqualTo("amount");
    }

    @Test
    void changesWhatIsNamed_andNullClears() {
        // Given
        var made = post("/v1/tables", table("Changing").put("folderName", "Changes"));
        var path = "/v1/tables/" + made.text("/id");

        // When
        var named = post(path, Json.object().put("name", "Changed").put("status", "ENABLED"));
        var cleared = post(path, Json.object().putNull("folderId").putNull("status"));

        // Then
        assertThat(named.text("/name")).isEqualTo("Changed");
        assertThat(named.text("/status")).isEqualTo("ENABLED");
        assertThat(named.text("/folderId")).isEqualTo(made.text("/folderId"));
        assertThat(cleared.text("/name")).isEqualTo("Changed");
        assertThat(cleared.body().path("folderId").isNull()).isTrue();
        assertThat(cleared.body().path("status").isNull()).isTrue();
    }

    @Test
    void listsNewestFirst_inPages_andByName() {
        // Given
        for (var name : List.of("Page one", "Page two", "Page three")) {
            server.clock().advance(Duration.ofSeconds(1));
            post("/v1/tables", table(name));
        }
        var query = "?limit=2&name=pAGe&projectId=" + admin.projectId();

        // When
        var first = get("/v1/tables" + query);
        var second = get("/v1/tables" + query + "&cursor=" + first.text("/next"));

        // Then
        assertThat(first.body().path("data").findValuesAsText("name")).containsExactly("Page three", "Page two");
        assertThat(second.body().path("data").findValuesAsText("name")).containsExactly("Page one");
        assertThat(get("/v1/tables/count" + query).body().asInt()).isEqualTo(3);
    }

    @Test
    void keepsExternalIdsApart_andRefusesUnknownFolders() {
        // Given
        post("/v1/tables", table("First").put("externalId", "taken"));

        // When
        var again = post("/v1/tables", table("Second").put("externalId", "taken"));
        var lost = post("/v1/tables", table("Lost").put("folderId", Ids.next()));
        var malformed = post("/v1/tables", table("Malformed").put("externalId", ".."));

        // Then
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/code")).isEqualTo("VALIDATION");
        assertThat(lost.status()).isEqualTo(404);
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.text("/message")).contains("body/externalId");
    }

    @Test
    void takesAsManyFieldsAsAreAllowed_andNoMore() {
        // Given
        var full = post("/v1/tables", table("Full")).text("/id");
        var tooMany = table("Too many");
        tooMany.withArray("/fields").addObject().put("name", "Fourth").put("type", "TEXT");

        // When
        var refused = post("/v1/tables", tooMany);
        var fourth = post(
                "/v1/fields",
                Json.object().put("tableId", full).put("name", "X").put("type", "TEXT"));
        delete("/v1/fields/" + field(full, "Due"));
        var third = post(
                "/v1/fields",
                Json.object().put("tableId", full).put("name", "X").put("type", "TEXT"));

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(fourth.status()).isEqualTo(409);
        assertThat(third.status()).isEqualTo(201);
        assertThat(get("/v1/fields?tableId=" + full).body().findValuesAsText("name"))
                .containsExactly("Name", "Amount", "X");
    }

    @Test
    void aDropdownNeedsItsOptions() {
        // Given
        var tableId = post("/v1/tables", Json.object().put("name", "Empty").put("projectId", admin.projectId()))
                .text("/id");
        var wish = Json.object().put("tableId", tableId).put("name", "State").put("type", "STATIC_DROPDOWN");

        // When
        var without = post("/v1/fields", wish);
        wish.putObject("data").putArray("options").addObject().put("value", "open");
        var with = post("/v1/fields", wish);

        // Then
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.text("/message")).contains("body/data");
        assertThat(with.status()).isEqualTo(201);
        assertThat(with.text("/data/options/0/value")).isEqualTo("open");
        assertThat(post("/v1/fields/" + with.text("/id"), Json.object().put("name", "Status"))
                        .text("/name"))
                .isEqualTo("Status");
        assertThat(get("/v1/fields/" + with.text("/id"))
                        .body()
                        .at("/data/options/0/value")
                        .asText())
                .isEqualTo("open");
    }

    @Test
    void keepsEveryValueAsAText_andDropsUnknownFields() {
        // Given
        var tableId = post("/v1/tables", table("Values")).text("/id");
        var wish = Json.object().put("tableId", tableId);
        var row = wish.putArray("records").addArray();
        row.addObject()
                .put("fieldId", field(tableId, "Name"))
                .putObject("value")
                .put("k", 1);
        row.addObject().put("fieldId", field(tableId, "Amount")).putNull("value");
        row.addObject().put("fieldId", Ids.next()).put("value", "lost");

        // When
        var made = post("/v1/records", wish);

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
        var wish = Json.object().put("tableId", tableId);
        wish.putArray("cells")
                .addObject()
                .put("fieldId", field(tableId, "Amount"))
                .put("value", 2);

        // When
        var changed = post(path, wish);
        var elsewhere = post(
                path,
                wish.deepCopy()
                        .put("tableId", post("/v1/tables", table("Other")).text("/id")));

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(cell(changed.body(), tableId, "Name").asText()).isEqualTo("wheat");
        assertThat(cell(changed.body(), tableId, "Amount").asText()).isEqualTo("2");
        assertThat(elsewhere.status()).isEqualTo(404);
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
    void filtersAsTheContractSays(String field, String operator, String value, String expected) {
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

    /** Five records, each known by the order in which it was made. */
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

    private static List<String> ids(Answer found) {
        var ids = new ArrayList<String>();
        found.body().path("data").forEach(record -> ids.add(record.path("id").asText()));
        return ids;
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

    @Test
    void exportsClearsAndDeletes() {
        // Given
        var tableId = post("/v1/tables", table("Export")).text("/id");
        add(tableId, "rye", "9", "");
        add(tableId, "oat", "1", "");

        // When
        var export = get("/v1/tables/" + tableId + "/export");
        var template = get("/v1/tables/" + tableId + "/template");
        var cleared = send("POST", "/v1/tables/" + tableId + "/clear", Json.object());
        var after = get("/v1/tables/" + tableId + "/export");
        var deleted = delete("/v1/tables/" + tableId);

        // Then
        assertThat(export.body().path("rows").findValuesAsText("Name")).containsExactly("rye", "oat");
        assertThat(export.body().path("fields").findValuesAsText("name")).containsExactly("Name", "Amount", "Due");
        assertThat(template.text("/tables/0/fields/1/externalId")).isEqualTo("amount");
        assertThat(cleared.status()).isEqualTo(204);
        assertThat(after.body().path("rows").isEmpty()).isTrue();
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(get("/v1/tables/" + tableId).status()).isEqualTo(404);
    }

    @Test
    void tellsAWebhookOfEveryChange_once() {
        // Given
        var flow = LiveFlow.publish(admin, FlowScript.webhook());
        var tableId = post("/v1/tables", table("Told")).text("/id");
        var wish = Json.object().put("webhookUrl", "http://ignored").put("flowId", flow.id());
        wish.putArray("events").add("RECORD_CREATED").add("RECORD_DELETED");
        var webhook = post("/v1/tables/" + tableId + "/webhooks", wish);

        // When
        var record = add(tableId, "rye", "9", "").path(0);
        var created = flow.ended(1);
        var ids = Json.object().put("tableId", tableId);
        ids.putArray("ids").add(record.path("id").asText());
        send("DELETE", "/v1/records", ids);
        flow.ended(2);
        var ended = delete("/v1/tables/" + tableId + "/webhooks/" + webhook.text("/id"));

        // Then
        assertThat(webhook.status()).isEqualTo(200);
        assertThat(flow.run(created.path("id").asText()).at("/steps/trigger/output/body/record"))
                .isEqualTo(record);
        assertThat(ended.status()).isEqualTo(204);
        assertThat(delete("/v1/tables/" + tableId + "/webhooks/" + webhook.text("/id"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aPieceStaysInItsProject() {
        // Given
        var own = post("/v1/tables", table("Mine")).text("/id");
        var piece = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(admin.projectId()));
        var stranger = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(server.foreignProject()));

        // When
        var mine = piece.get("/v1/records?tableId=" + own);
        var theirs = stranger.get("/v1/records?tableId=" + own);
        var listed = stranger.get("/v1/tables?projectId=" + admin.projectId());

        // Then
        assertThat(mine.status()).isEqualTo(200);
        assertThat(theirs.status()).isEqualTo(403);
        assertThat(listed.body().path("data").isEmpty()).isTrue();
    }

    private static ObjectNode table(String name) {
        var table = Json.object().put("name", name).put("projectId", admin.projectId());
        var fields = table.putArray("fields");
        fields.addObject().put("name", "Name").put("type", "TEXT");
        fields.addObject().put("name", "Amount").put("type", "NUMBER").put("externalId", "amount");
        fields.addObject().put("name", "Due").put("type", "DATE");
        return table;
    }

    private static String field(String tableId, String name) {
        for (var field : get("/v1/fields?tableId=" + tableId).body()) {
            if (field.path("name").asText().equals(name)) {
                return field.path("id").asText();
            }
        }
        throw new AssertionError("expected a field " + name);
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

    private static JsonNode add(String tableId, String name, String amount, String due) {
        var wish = Json.object().put("tableId", tableId);
        var row = wish.putArray("records").addArray();
        row.addObject().put("fieldId", field(tableId, "Name")).put("value", name);
        row.addObject().put("fieldId", field(tableId, "Amount")).put("value", amount);
        row.addObject().put("fieldId", field(tableId, "Due")).put("value", due);
        return post("/v1/records", wish).body();
    }

    private static ObjectNode rows(String tableId, List<String> names) {
        var fieldId = field(tableId, "Name");
        var wish = Json.object().put("tableId", tableId);
        var rows = wish.putArray("records");
        names.forEach(
                name -> rows.addArray().addObject().put("fieldId", fieldId).put("value", name));
        return wish;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Answer get(String path) {
        return admin.api().get(path);
    }

    private static Answer post(String path, JsonNode body) {
        return admin.api().post(path, body);
    }

    private static Answer delete(String path) {
        return admin.api().delete(path);
    }

    private static Answer send(String method, String path, JsonNode body) {
        return admin.api().send(method, path, Map.of("Content-Type", "application/json"), Json.text(body));
    }
}
