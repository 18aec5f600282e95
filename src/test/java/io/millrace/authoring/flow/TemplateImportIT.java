package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A template in the export format of that product's editor is imported, published and run. */
class TemplateImportIT {
    @AutoClose
    private static TestServer server = ServerSettings.localCalls().startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @AutoClose
    private static Outside warehouse = Outside.start();

    private FlowClient flow;

    @BeforeEach
    void makeFlow() {
        flow = FlowClient.create(ada.api(), ada.projectId(), "Mine");
    }

    private static ObjectNode template() {
        try (var file = TemplateImportIT.class.getResourceAsStream("/flow/order-template-21.json")) {
            return (ObjectNode) Json.trusted(file.readAllBytes()).at("/flows/0");
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private Answer importFlow(JsonNode template) {
        return ada.api()
                .post(flow.path(), Json.object().put("type", "IMPORT_FLOW").set("request", template));
    }

    private Answer order(int count) {
        var order = Json.object().put("customer", "Bea").put("warehouse", warehouse.url("/stock"));
        order.putArray("items")
                .add(Json.object().put("name", "mill").put("price", 30).put("count", count))
                .add(Json.object().put("name", "stone").put("price", 5).put("count", 2));
        return ada.api().post("/v1/webhooks/" + flow.flowId() + "/sync", order);
    }

    @Test
    void importsPublishesAndRunsATemplateOfAnEarlierSchema() {
        // when
        var imported = expect(200, importFlow(template())).body();
        expect(200, flow.publish());
        var large = order(4);
        var small = order(1);

        // then
        assertThat(imported.at("/version/valid").asBoolean()).isTrue();
        assertThat(imported.at("/version/trigger/settings/pieceVersion").asText())
                .isEqualTo("0.1.20");
        assertThat(imported.at("/version/trigger/settings").has("sampleData")).isFalse();
        assertThat(imported.at("/version/trigger/nextAction/settings/input/mapping/names")
                        .asText())
                .isEqualTo("{{trigger['output']['body']['items'].map(trigger => trigger.name).join(', ')}}");
        assertThat(imported.at("/version/notes/0/color").asText()).isEqualTo("orange");
        assertThat(large.status()).isEqualTo(202);
        assertThat(large.headers().firstValue("x-total")).contains("130");
        assertThat(large.body())
                .isEqualTo(FlowSamples.json("{'text':'Bea ordered mill, stone','total':130,'decidedBy':'sales'}"));
        assertThat(small.status()).isEqualTo(200);
        assertThat(small.body()).isEqualTo(FlowSamples.json("{'total':40,'decidedBy':'nobody'}"));
        assertThat(warehouse.paths()).containsOnly("/stock").hasSize(2);
        assertThat(loopOf(newestRun())).isEqualTo(FlowSamples.json("{'price':10,'label':'2 of 2'}"));
    }

    private JsonNode newestRun() {
        var runs = expect(
                200, ada.api().get("/v1/flow-runs?limit=1&projectId=" + ada.projectId() + "&flowId=" + flow.flowId()));
        return expect(200, ada.api().get("/v1/flow-runs/" + runs.text("/data/0/id")))
                .body();
    }

    private static JsonNode loopOf(JsonNode run) {
        return run.at("/steps/step_3/output/iterations/1/step_4/output");
    }

    @Test
    void exportsWhatCanBeImportedAgain() {
        // given
        expect(200, importFlow(template()));
        var first = flow.version();
        var exported =
                expect(200, ada.api().get(flow.path() + "/template")).body().at("/flows/0");

        // when
        flow = FlowClient.create(ada.api(), ada.projectId(), "Copy");
        expect(200, importFlow(exported));

        // then
        assertThat(undated(flow.version().path("trigger"))).isEqualTo(undated(first.path("trigger")));
        assertThat(flow.version().path("displayName").asText()).isEqualTo("Answer orders");
    }

    private static String undated(JsonNode trigger) {
        return trigger.toString().replaceAll("\"lastUpdatedDate\":\"[^\"]*\"", "");
    }

    @Test
    void changesNothing_whenATemplateIsBroken() {
        // given
        expect(200, importFlow(template()));
        var before = flow.get().body();

        // then
        refused(
                before,
                400,
                "trigger/nextAction/nextAction/name",
                trigger -> deep(trigger).put("name", "a b"));
        refused(
                before,
                400,
                "trigger/nextAction/nextAction/type",
                trigger -> deep(trigger).put("type", "TELEPORT"));
        refused(
                before,
                400,
                "trigger/nextAction/nextAction",
                trigger -> deep(trigger).remove("settings"));
        refused(before, 400, "trigger/lastUpdatedDate", trigger -> trigger.remove("lastUpdatedDate"));
        refused(
                before,
                400,
                "trigger/settings/pieceVersion",
                trigger -> ((ObjectNode) trigger.get("settings")).put("pieceVersion", "latest"));
        refused(before, 404, "elsewhere", trigger -> trigger.put("name", "elsewhere"));
    }

    private static ObjectNode deep(ObjectNode trigger) {
        return (ObjectNode) trigger.at("/nextAction/nextAction");
    }

    private void refused(JsonNode before, int status, String text, Consumer<ObjectNode> damage) {
        var template = template();
        damage.accept((ObjectNode) template.get("trigger"));
        var refused = importFlow(template);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.body().toString()).contains(text);
        assertThat(flow.get().body()).isEqualTo(before);
    }
}
