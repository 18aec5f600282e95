package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Flows that use tables, and flows triggered by their records (contract pieces 14.2). */
class TablePieceIT {
    private static final String PIECE = "@activepieces/piece-tables";
    private static final String VERSION = "0.2.0";

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_MAX_RECORDS_PER_TABLE", "5"));

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void stepsWriteFindChangeAndRemoveRecords() {
        // Given
        var table = table("steps");
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                PIECE,
                                VERSION,
                                "tables-create-records",
                                input(
                                        "{'table_id':'steps','values':{'values':[{'name':'rye','amount':9}]},"
                                                + "'records':[{'Name':'rye','Amount':9},{'Name':'oat','amount':20,'Other':1}]}"))
                        .piece(
                                "step_2",
                                PIECE,
                                VERSION,
                                "tables-find-records",
                                input("{'table_id':'steps','limit':1,'filters':{'filters':"
                                        + "[{'field':'amount','operator':'gt','value':'10'}]}}"))
                        .piece(
                                "step_3",
                                PIECE,
                                VERSION,
                                "tables-update-record",
                                input("{'table_id':'steps','record_id':'{{step_2[\\'output\\'][0].id}}',"
                                        + "'values':{'amount':21,'name':''}}"))
                        .piece(
                                "step_4",
                                PIECE,
                                VERSION,
                                "tables-delete-record",
                                input("{'table_id':'steps','record_id':'{{step_1[\\'output\\'][0].id}}'}"))
                        .piece("step_5", PIECE, VERSION, "tables-download-table", input("{'table_id':'steps'}")));

        // When
        var run = flow.run(Json.object());

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").size()).isEqualTo(2);
        assertThat(run.at("/steps/step_2/output").size()).isEqualTo(1);
        assertThat(run.at("/steps/step_5/output/fileName").asText()).isEqualTo("steps.csv");
        var left = records(table);
        assertThat(left).hasSize(1);
        assertThat(values(left.getFirst())).isEqualTo(Map.of("Name", "oat", "Amount", "21"));
    }

    @Test
    void aStepWritesBooleansIntoACheckbox_andFindsThem() {
        // Given
        var table = Json.object().put("name", "paid").put("externalId", "paid").put("projectId", admin.projectId());
        var fields = table.putArray("fields");
        fields.addObject()
                .put("name", "Paid")
                .put("type", "STATIC_DROPDOWN")
                .put("externalId", "paid")
                .set("data", input("{'options':[{'value':'true'},{'value':'false'}]}"));
        var id = admin.api().post("/v1/tables", table).text("/id");
        var values = "{'values':[{'paid':'{{trigger[\\'output\\'][\\'body\\'].paid}}'},{'paid':'false'}]}";
        var filters = "{'filters':[{'field':'paid','operator':'eq','value':'true'}]}";
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                PIECE,
                                VERSION,
                                "tables-create-records",
                                input("{'table_id':'paid','values':" + values + "}"))
                        .piece(
                                "step_2",
                                PIECE,
                                VERSION,
                                "tables-find-records",
                                input("{'table_id':'paid','filters':" + filters + "}")));

        // When
        var run = flow.run(Json.object().put("paid", true));

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(records(id).stream().map(TablePieceIT::values))
                .containsExactly(Map.of("Paid", "true"), Map.of("Paid", "false"));
        assertThat(run.at("/steps/step_2/output").size()).isEqualTo(1);
    }

    @Test
    void columnsOfTheSameNameKeepTheirValues() {
        // Given
        var table =
                Json.object().put("name", "notes").put("externalId", "notes").put("projectId", admin.projectId());
        var fields = table.putArray("fields");
        fields.addObject().put("name", "Note").put("type", "TEXT").put("externalId", "first");
        fields.addObject().put("name", "Note").put("type", "TEXT").put("externalId", "second");
        var id = admin.api().post("/v1/tables", table).text("/id");
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                PIECE,
                                VERSION,
                                "tables-create-records",
                                input(
                                        "{'table_id':'notes','values':{},'records':'{{trigger[\\'output\\'][\\'body\\']}}'}")));

        // When
        var whole = flow.run(Json.trusted("[{\"Note\":\"one\",\"Note_2\":\"two\",\"Other\":1}]"));
        var strange = flow.run(Json.trusted("[{\"Nmae\":\"one\",\"__proto__\":1}]"));

        // Then
        assertThat(whole.path("status").asText()).as(whole.toString()).isEqualTo("SUCCEEDED");
        assertThat(records(id)).hasSize(1);
        assertThat(records(id).getFirst().findValuesAsText("value")).containsExactly("one", "two");
        assertThat(strange.path("status").asText()).isEqualTo("FAILED");
        assertThat(strange.toString()).contains("expected a record with a column of the table, found Nmae, __proto__");
    }

    @Test
    void aStepNamesWhatIsMissing() {
        // Given
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .piece("step_1", PIECE, VERSION, "tables-clear-table", input("{'table_id':'nowhere'}")));

        // When
        var run = flow.run(Json.object());

        // Then
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("expected a table with the external id nowhere");
    }

    @Test
    void eachChangeStartsTheFlowsThatListenToIt() {
        // Given
        var table = table("received");
        var created = listening("newRecord", "received");
        var updated = listening("updatedRecord", "received");
        var deleted = listening("deletedRecord", "received");

        // When
        var record = add(table, "rye");
        var first = created.ended(1);
        var changes = Json.object().put("tableId", table);
        changes.putArray("cells")
                .addObject()
                .put("fieldId", field(table, "Name"))
                .put("value", "oat");
        admin.api().post("/v1/records/" + record.path("id").asText(), changes);
        var second = updated.ended(1);
        remove(table, record);
        var third = deleted.ended(1);

        // Then
        assertThat(first.at("/steps/trigger/output")).isEqualTo(record);
        assertThat(values(second.at("/steps/trigger/output"))).containsEntry("Name", "oat");
        assertThat(values(third.at("/steps/trigger/output"))).containsEntry("Name", "oat");
        assertThat(created.runs()).hasSize(1);
    }

    @Test
    void aChangeThatIsRefusedStartsNothing_andAFlowThatIsOffNeither() {
        // Given
        var table = table("refused");
        var flow = listening("newRecord", "refused");
        for (var count = 0; count < 5; count++) {
            add(table, "record " + count);
        }
        flow.ended(5);

        // When
        var refused = admin.api().post("/v1/records", rows(table, "one too many"));
        flow.operate(FlowScript.json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
        remove(table, records(table).getFirst());
        add(table, "unheard");

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(server.count("select count(*) from run where flow_id = $1", flow.id())
                        + server.count("select count(*) from ended_run where flow_id = $1", flow.id()))
                .isEqualTo(5);
    }

    @Test
    void aFlowThatIsPublishedAgainGetsEachEventOnce() {
        // Given
        var table = table("again");
        var flow = listening("newRecord", "again");
        flow.publish();

        // When
        add(table, "rye");

        // Then
        assertThat(flow.ended(1).at("/steps/trigger/output/tableId").asText()).isEqualTo(table);
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void recordsCannotBeForgedByTheAddressOfTheFlow() {
        // Given
        table("pretended");
        var flow = listening("newRecord", "pretended");

        // When
        flow.call(FlowScript.json("{'record':{'id':'x'}}"));

        // Then
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void editorsAreOfferedTablesAndTheirColumns() {
        // Given
        table("offered");

        // When
        var tables = options("tables-find-records", "table_id", "{}");
        var columns = options("tables-update-record", "values", "{'table_id':'offered'}");
        var filters = options("tables-find-records", "filters", "{'table_id':'offered'}");

        // Then
        assertThat(tables.at("/options/options").findValuesAsText("value")).contains("offered");
        assertThat(columns.at("/options/amount/type").asText()).isEqualTo("NUMBER");
        assertThat(filters.at("/options/filters/properties/operator/options/options")
                        .findValuesAsText("value"))
                .containsExactly("eq", "neq", "co", "gt", "gte", "lt", "lte", "exists", "not_exists");
    }

    private static JsonNode options(String action, String property, String input) {
        var flow = LiveFlow.draft(admin, FlowScript.webhook());
        var version = admin.api().get("/v1/flows/" + flow.id()).text("/version/id");
        var question = Json.object()
                .put("projectId", admin.projectId())
                .put("pieceName", PIECE)
                .put("pieceVersion", VERSION)
                .put("actionOrTriggerName", action)
                .put("propertyName", property)
                .put("flowId", flow.id())
                .put("flowVersionId", version);
        question.set("input", FlowScript.json(input));
        return admin.api().post("/v1/pieces/options", question).body();
    }

    private static LiveFlow listening(String trigger, String table) {
        return LiveFlow.publish(admin, FlowScript.trigger(PIECE, VERSION, trigger, "{'table_id':'" + table + "'}"));
    }

    private static JsonNode input(String singleQuoted) {
        return Json.trusted(
                singleQuoted.replace("\\'", "\u0001").replace('\'', '"').replace('\u0001', '\''));
    }

    private static String table(String externalId) {
        var table = Json.object()
                .put("name", externalId)
                .put("externalId", externalId)
                .put("projectId", admin.projectId());
        var fields = table.putArray("fields");
        fields.addObject().put("name", "Name").put("type", "TEXT").put("externalId", "name");
        fields.addObject().put("name", "Amount").put("type", "NUMBER").put("externalId", "amount");
        return admin.api().post("/v1/tables", table).text("/id");
    }

    private static String field(String tableId, String name) {
        for (var field : admin.api().get("/v1/fields?tableId=" + tableId).body()) {
            if (field.path("name").asText().equals(name)) {
                return field.path("id").asText();
            }
        }
        throw new AssertionError("expected a field " + name);
    }

    private static ObjectNode rows(String tableId, String name) {
        var request = Json.object().put("tableId", tableId);
        request.putArray("records")
                .addArray()
                .addObject()
                .put("fieldId", field(tableId, "Name"))
                .put("value", name);
        return request;
    }

    private static JsonNode add(String tableId, String name) {
        return admin.api().post("/v1/records", rows(tableId, name)).body().path(0);
    }

    private static void remove(String tableId, JsonNode record) {
        var ids = Json.object().put("tableId", tableId);
        ids.putArray("ids").add(record.path("id").asText());
        admin.api().send("DELETE", "/v1/records", Map.of("Content-Type", "application/json"), Json.text(ids));
    }

    private static List<JsonNode> records(String tableId) {
        var records = new ArrayList<JsonNode>();
        admin.api().get("/v1/records?tableId=" + tableId).body().path("data").forEach(records::add);
        return records;
    }

    private static Map<String, String> values(JsonNode record) {
        var values = new TreeMap<String, String>();
        record.path("cells")
                .forEach(cell -> values.put(
                        cell.path("fieldName").asText(), cell.path("value").asText()));
        return values;
    }
}
