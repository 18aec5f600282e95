package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.OpenServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Flows over HTTP: creating, finding, showing and deleting them (contract flows-and-engine 3). */
class FlowIT extends OpenServer {
    private String projectId;

    @BeforeEach
    void makeProject() {
        projectId = expect(201, admin.api().post("/v1/projects", Json.object().put("displayName", "Mill")))
                .text("/id");
    }

    private FlowClient flow(String name) {
        server.clock().advance(Duration.ofSeconds(1));
        return FlowClient.create(admin.api(), projectId, name);
    }

    private JsonNode list(String query) {
        return expect(200, admin.api().get("/v1/flows?projectId=" + projectId + query))
                .body();
    }

    private static List<String> names(JsonNode page) {
        var names = new ArrayList<String>();
        page.path("data")
                .forEach(flow -> names.add(flow.at("/version/displayName").asText()));
        return names;
    }

    @Test
    void createsAFlow_withAnEmptyDraft() {
        // given
        var request = Json.object()
                .put("projectId", projectId)
                .put("displayName", "Greet")
                .put("templateId", "template-7");
        request.putObject("metadata").put("color", "red");

        // when
        var made = admin.api().post("/v1/flows", request);

        // then
        assertThat(made.status()).isEqualTo(201);
        var now = Json.timestamp(server.clock().instant());
        var version = made.body().path("version");
        assertThat(List.of(
                        made.text("/id"),
                        made.text("/externalId"),
                        version.path("id").asText()))
                .allMatch(Ids::isId)
                .doesNotHaveDuplicates();
        assertThat(made.body())
                .isEqualTo(FlowSamples.json("{'id':'" + made.text("/id") + "','created':'" + now + "','updated':'"
                        + now + "','projectId':'" + projectId + "','externalId':'" + made.text("/externalId")
                        + "','ownerId':'" + admin.userId()
                        + "','folderId':null,'status':'DISABLED','publishedVersionId':null,"
                        + "'metadata':{'color':'red'},'operationStatus':'NONE','timeSavedPerRun':null,"
                        + "'templateId':'template-7','createdBy':null,'triggerSource':{'schedule':null},'version':{"
                        + "'id':'" + version.path("id").asText() + "','created':'" + now + "','updated':'" + now
                        + "','flowId':'" + made.text("/id") + "','displayName':'Greet','schemaVersion':'22',"
                        + "'valid':false,'state':'DRAFT','updatedBy':null,'connectionIds':[],'agentIds':[],"
                        + "'backupFiles':null,'notes':[],'trigger':{'name':'trigger','type':'EMPTY',"
                        + "'displayName':'Select Trigger','settings':{},'valid':false,'lastUpdatedDate':'" + now
                        + "'}}}"));
        assertThat(admin.api().get("/v1/flows/" + made.text("/id")).body()).isEqualTo(made.body());
    }

    @Test
    void namesEveryViolation_whenTheWishIsWrong() {
        // given
        var request =
                Json.object().put("projectId", projectId).put("displayName", 7).put("metadata", "red");

        // when
        var refused = admin.api().post("/v1/flows", request.put("folderName", ""));
        var foldered = admin.api()
                .post(
                        "/v1/flows",
                        Json.object()
                                .put("projectId", projectId)
                                .put("displayName", "Greet")
                                .put("folderId", Ids.next()));

        // then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message"))
                .contains("body/displayName Invalid input: expected string, received number")
                .contains("body/metadata Invalid input: expected object, received string")
                .contains("body/folderName Too small: expected string to have >=1 characters");
        assertThat(foldered.status()).isEqualTo(404);
        assertThat(foldered.text("/params/entityType")).isEqualTo("folder");
        assertThat(admin.api()
                        .get("/v1/flows/count?projectId=" + projectId)
                        .body()
                        .asInt())
                .isZero();
    }

    @Test
    void listsEnabledFlowsFirst_thenTheOnesChangedLast() {
        // given
        var first = flow("first");
        var enabled = FlowClient.answering(admin.api(), projectId, "enabled");
        expect(200, enabled.publish());
        flow("third");

        // when
        server.clock().advance(Duration.ofSeconds(1));
        first.change("CHANGE_NAME", "{'displayName':'first renamed'}");

        // then
        assertThat(names(list(""))).containsExactly("Answers enabled", "first renamed", "third");
    }

    @Test
    void filtersTheList() {
        // given
        var tagged = flow("Alpha");
        var auth = FlowClient.answerStep("x").replace("'input':{", "'input':{'auth':'{{connections[`shop`]}}',");
        tagged.change(
                "IMPORT_FLOW",
                "{'displayName':'ALPHA beta','schemaVersion':'22','trigger':"
                        + FlowClient.WEBHOOK.replace(
                                "'type'",
                                "'lastUpdatedDate':'2026-01-01T00:00:00.000Z','nextAction':"
                                        + auth.replace("`", "\\u0027") + ",'type'")
                        + "}");
        flow("Gamma");
        var published = FlowClient.answering(admin.api(), projectId, "hello");
        expect(200, published.publish());

        // then
        assertThat(names(list("&name=lPHa"))).containsExactly("ALPHA beta");
        assertThat(names(list("&name=%25"))).isEmpty();
        assertThat(names(list("&status=ENABLED"))).containsExactly("Answers hello");
        assertThat(names(list("&status=ENABLED&status=DISABLED"))).hasSize(3);
        assertThat(names(list("&externalIds=" + tagged.get().text("/externalId") + "&externalIds=nobody")))
                .containsExactly("ALPHA beta");
        assertThat(names(list("&connectionExternalIds[]=shop"))).containsExactly("ALPHA beta");
        assertThat(names(list("&agentExternalIds=agent-7"))).isEmpty();
        assertThat(names(list("&folderId=NULL"))).hasSize(3);
        assertThat(names(list("&folderId=" + Ids.next()))).isEmpty();
        assertThat(names(list("&folderIds=a&folderIds=b"))).isEmpty();
        assertThat(admin.api()
                        .get("/v1/flows?projectId=" + projectId + "&status=ON")
                        .text("/message"))
                .contains("querystring/status/0 Invalid option: expected one of");
    }

    @Test
    void showsThePublishedVersion_whenItIsAskedFor() {
        // given
        var published = FlowClient.answering(admin.api(), projectId, "one");
        expect(200, published.publish());
        published.change("CHANGE_NAME", "{'displayName':'Draft name'}");
        flow("never published");

        // when
        var locked = list("&versionState=LOCKED");

        // then
        assertThat(names(locked)).containsExactly("Answers one");
        assertThat(locked.at("/data/0/version/state").asText()).isEqualTo("LOCKED");
        assertThat(names(list("&versionState=DRAFT"))).containsExactly("Draft name", "never published");
        assertThat(names(list("&versionState=LOCKED&name=Draft"))).containsExactly("Answers one");
    }

    @Test
    void walksForthAndBack_whileFlowsChange() {
        // given
        var flows = new ArrayList<FlowClient>();
        for (var number = 1; number <= 7; number++) {
            flows.add(flow("flow " + number));
        }

        // when
        var first = list("&limit=3");
        server.clock().advance(Duration.ofSeconds(1));
        flows.get(5).change("CHANGE_NAME", "{'displayName':'changed'}");
        flow("new");
        expect(204, admin.api().delete(flows.get(3).path()));
        var second = list("&limit=3&cursor=" + first.path("next").asText());
        var back = list("&limit=3&cursor=" + second.path("previous").asText());

        // then
        assertThat(names(first)).containsExactly("flow 7", "flow 6", "flow 5");
        assertThat(first.path("previous").isNull()).isTrue();
        assertThat(names(second)).containsExactly("flow 3", "flow 2", "flow 1");
        assertThat(second.path("next").isNull()).isTrue();
        assertThat(names(back)).containsExactly("changed", "flow 7", "flow 5");
        assertThat(names(list("&limit=3&cursor=" + back.path("previous").asText())))
                .containsExactly("new");
        assertThat(admin.api()
                        .get("/v1/flows?projectId=" + projectId + "&cursor=nonsense")
                        .text("/message"))
                .contains("querystring/cursor");
    }

    @Test
    void countsTheFlowsOfAProject() {
        // given
        flow("one");
        flow("two");

        // then
        var count = "/v1/flows/count?projectId=" + projectId;
        assertThat(admin.api().get(count).body()).isEqualTo(Json.trusted("2"));
        assertThat(admin.api().get(count + "&folderId=NULL").body()).isEqualTo(Json.trusted("2"));
        assertThat(admin.api().get(count + "&folderId=" + Ids.next()).body()).isEqualTo(Json.trusted("0"));
    }

    @Test
    void showsAnEarlierVersion_butNoneOfAnotherFlow() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "one");
        var locked = expect(200, flow.publish()).text("/version/id");
        flow.change("CHANGE_NAME", "{'displayName':'later'}");
        var other = flow("other");

        // then
        assertThat(admin.api().get(flow.path() + "?versionId=" + locked).text("/version/displayName"))
                .isEqualTo("Answers one");
        assertThat(flow.get().text("/version/displayName")).isEqualTo("later");
        var refused = admin.api().get(other.path() + "?versionId=" + locked);
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
        assertThat(admin.api().get("/v1/flows/" + Ids.next()).status()).isEqualTo(404);
        assertThat(admin.api().get("/v1/flows/short").text("/message")).contains("params/id");
    }

    @Test
    void listsVersionsNewestFirst_withWhoChangedThem() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "one");
        expect(200, flow.publish());
        flow.change("CHANGE_NAME", "{'displayName':'later'}");

        // when
        var page = expect(200, admin.api().get(flow.path() + "/versions?limit=1"));
        var next = expect(200, admin.api().get(flow.path() + "/versions?limit=1&cursor=" + page.text("/next")));

        // then
        assertThat(page.text("/data/0/state")).isEqualTo("DRAFT");
        assertThat(page.text("/data/0/updatedBy")).isEqualTo(admin.userId());
        var editor = page.body().at("/data/0/updatedByUser");
        assertThat(editor)
                .isEqualTo(
                        expect(200, admin.api().get("/v1/users?limit=1")).body().at("/data/0"));
        assertThat(editor.path("platformRole").asText()).isEqualTo("ADMIN");
        assertThat(page.body().at("/data/0").has("trigger")).isFalse();
        assertThat(next.text("/data/0/state")).isEqualTo("LOCKED");
        assertThat(next.text("/data/0/displayName")).isEqualTo("Answers one");
        assertThat(next.body().path("next").isNull()).isTrue();
    }

    @Test
    void deletesAFlowAtOnce_andKeepsItsRuns() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "bye");
        expect(200, flow.publish());
        assertThat(flow.call().text("/says")).isEqualTo("bye");
        Waiting.until("a finished run", () -> !runs().isEmpty());

        // when
        var deleted = admin.api().delete(flow.path());

        // then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(flow.get().status()).isEqualTo(404);
        assertThat(names(list(""))).isEmpty();
        assertThat(flow.call().status()).isEqualTo(410);
        assertThat(runs()).hasSize(1);
        var run = admin.api().get("/v1/flow-runs/" + runs().get(0).path("id").asText());
        assertThat(run.status()).isEqualTo(200);
        Waiting.until(
                "no row of the flow",
                () -> server.count("select count(*) from flow_version where flow_id = $1", flow.flowId()) == 0);
        assertThat(flow.apply("CHANGE_NAME", "{'displayName':'x'}").status()).isEqualTo(404);
        assertThat(admin.api().delete(flow.path()).status()).isEqualTo(404);
    }

    @Test
    void removesAFlow_whoseDeletionWasBegunByAProcessThatHasDied() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "left");

        // when
        server.execute(
                "update flow set operation_status = 'DELETING', updated = now() - interval '11 minutes' where id = $1",
                flow.flowId());

        // then
        Waiting.until(
                "no row of the flow",
                () -> server.count("select count(*) from flow where id = $1", flow.flowId()) == 0);
    }

    @Test
    void refusesEverything_whileAFlowIsBeingDeleted() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "busy");
        expect(200, flow.publish());
        server.execute("update flow set operation_status = 'DELETING' where id = $1", flow.flowId());

        // then
        assertThat(List.of(
                        flow.publish(),
                        flow.apply("CHANGE_STATUS", "{'status':'DISABLED'}"),
                        flow.apply("CHANGE_NAME", "{'displayName':'x'}"),
                        admin.api().delete(flow.path())))
                .allSatisfy(refused -> {
                    assertThat(refused.status()).isEqualTo(409);
                    assertThat(refused.text("/code")).isEqualTo("FLOW_OPERATION_IN_PROGRESS");
                });
        assertThat(flow.get().status()).isEqualTo(404);
        assertThat(admin.api().get(flow.path() + "/versions").status()).isEqualTo(404);
        assertThat(admin.api().get(flow.path() + "/template").status()).isEqualTo(404);
        assertThat(names(list(""))).isEmpty();
        assertThat(flow.call().status()).isEqualTo(410);
        assertThat(server.count(
                        "select count(*) from flow_version where flow_id = $1 and display_name = 'Answers busy'",
                        flow.flowId()))
                .isOne();
    }

    @Test
    void exportsATemplate_withoutConnectionsAndSamples() {
        // given
        var flow = FlowClient.answering(admin.api(), projectId, "one");
        var step = FlowClient.answerStep("x")
                .replace(
                        "'input':{",
                        "'input':{'auth':'{{connections[`shop`]}}','list':['{{connections.shop.key}}','b'],"
                                + "'text':'key {{ connections[`shop`].key }}, {{step_1.output}}','empty':'',");
        flow.change(
                "IMPORT_FLOW",
                ("{'displayName':'Shop','schemaVersion':'22','trigger':"
                                + FlowClient.WEBHOOK.replace(
                                        "'type'",
                                        "'lastUpdatedDate':'2026-01-01T00:00:00.000Z','nextAction':" + step + ",'type'")
                                + "}")
                        .replace("`", "\\u0027"));
        flow.change("SAVE_SAMPLE_DATA", "{'stepName':'step_1','type':'OUTPUT','payload':{'secret':1}}");
        flow.change("ADD_NOTE", "{'id':'n1','content':'Mind','position':{'x':1,'y':2},'size':{'width':3,'height':4}}");

        // when
        var template = expect(200, admin.api().get(flow.path() + "/template?versionId=ignored"));

        // then
        var body = template.body();
        assertThat(body.path("name").asText()).isEqualTo("Shop");
        assertThat(body.path("author").asText()).isEqualTo("Ada Miller");
        assertThat(body.path("pieces"))
                .hasSize(1)
                .first()
                .extracting(JsonNode::asText)
                .isEqualTo("@activepieces/piece-webhook");
        assertThat(body.at("/metadata/externalId")).isEqualTo(flow.get().body().path("externalId"));
        var settings = body.at("/flows/0/trigger/nextAction/settings");
        assertThat(settings.has("sampleData")).isFalse();
        assertThat(settings.path("input").has("auth")).isFalse();
        assertThat(settings.at("/input/list")).isEqualTo(Json.trusted("[\"\",\"b\"]"));
        assertThat(settings.at("/input/text").asText()).isEqualTo("key , {{step_1.output}}");
        assertThat(settings.at("/input/empty").asText("gone")).isEmpty();
        assertThat(body.at("/flows/0/notes/0/content").asText()).isEqualTo("Mind");
        assertThat(body.at("/flows/0").has("connectionIds")).isFalse();
        assertThat(flow.version().path("connectionIds")).hasSize(1);
    }

    private JsonNode runs() {
        return expect(200, admin.api().get("/v1/flow-runs?projectId=" + projectId))
                .body()
                .path("data");
    }
}
