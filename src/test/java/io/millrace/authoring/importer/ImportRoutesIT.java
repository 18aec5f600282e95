package io.millrace.authoring.importer;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.authoring.importer.n8n.ImportSamples;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The import of workflows over HTTP. */
class ImportRoutesIT {
    private static final int WORKFLOWS_MAX = 80;
    private static final int NODES_MAX = 40;
    private static final int TEST_KB = 8;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of(
            "AP_IMPORT_WORKFLOWS_MAX",
            String.valueOf(WORKFLOWS_MAX),
            "AP_IMPORT_NODES_MAX",
            String.valueOf(NODES_MAX),
            "AP_FLOW_TEST_MAX_KB",
            String.valueOf(TEST_KB)));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @Test
    void createsDraftsOfTheCollection_validOrWithNamedGaps() {
        // when
        var answer = FlowClient.expect(200, send(ImportSamples.all(), true, "From n8n"));

        // then
        assertThat(answer.body().path("flows").size())
                .isGreaterThanOrEqualTo(ImportSamples.all().size());
        for (var flow : answer.body().path("flows")) {
            assertThat(flow.has("error")).as(flow.toString()).isFalse();
            assertThat(flow.path("problems").findValuesAsText("message"))
                    .as(flow.path("displayName").asText())
                    .allMatch(message -> message.contains("piece-"));
            var created = FlowClient.expect(
                            200, ada.api().get("/v1/flows/" + flow.path("id").asText()))
                    .body();
            assertThat(created.path("status").asText()).isEqualTo("DISABLED");
            assertThat(created.path("version").path("state").asText()).isEqualTo("DRAFT");
            assertThat(created.path("folderId").asText()).isNotEmpty();
        }
        assertThat(answer.body().path("report").path("workflows").size())
                .isEqualTo(ImportSamples.all().size());
    }

    @Test
    void linksAgentsToTheFlowsOfTheirTools() {
        // given
        var workflow = json("{'name':'Helper','nodes':[{'name':'Start','type':'n8n-nodes-base.manualTrigger'},"
                + "{'name':'Agent','type':'@n8n/n8n-nodes-langchain.agent','typeVersion':2,'parameters':{'text':'Hi'}},"
                + "{'name':'Post','type':'n8n-nodes-base.slackTool','typeVersion':2.2,'parameters':{'select':'channel',"
                + "'channelId':{'__rl':true,'mode':'name','value':'={{ $fromAI(`channel`) }}'},'text':'={{ $fromAI(`text`) }}'}}],"
                + "'connections':{'Start':{'main':[[{'node':'Agent','type':'main','index':0}]]},"
                + "'Post':{'ai_tool':[[{'node':'Agent','type':'ai_tool','index':0}]]}}}");

        // when
        var flows = FlowClient.expect(200, send(workflow, true, null)).body().path("flows");

        // then
        assertThat(flows).hasSize(2).allMatch(flow -> !flow.has("error"));
        var agent =
                ada.api().get("/v1/flows/" + flows.path(0).path("id").asText()).body();
        var tool =
                ada.api().get("/v1/flows/" + flows.path(1).path("id").asText()).body();
        assertThat(agent.findValue("agentTools").path(0).path("externalFlowId").asText())
                .isEqualTo(tool.path("externalId").asText());
        assertThat(tool.at("/version/trigger/settings/triggerName").asText()).isEqualTo("mcp_tool");
        assertThat(tool.at("/version/valid").asBoolean()).as(tool.toString()).isTrue();
    }

    @Test
    void keepsPinnedDataNotesAndDisabledNodes() {
        // when
        var flow = FlowClient.expect(200, send(ImportSamples.named("63"), true, null))
                .body()
                .path("flows")
                .path(0);
        var version = FlowClient.expect(
                        200, ada.api().get("/v1/flows/" + flow.path("id").asText()))
                .body()
                .path("version");

        // then
        assertThat(version.at("/notes/0/content").asText()).contains("This {{ is }} a note");
        assertThat(version.at("/trigger/nextAction/skip").asBoolean()).isTrue();
        assertThat(version.at("/trigger/nextAction/nextAction/settings/sampleData/sampleDataFileId")
                        .asText())
                .isNotEmpty();
    }

    @Test
    void makesATestOfPinnedData_thatNeedsNoOtherServer() {
        // when
        var flow = imported(pinned("{'total':3}"));
        var tests = ada.api()
                .get("/v1/flows/" + flow.path("id").asText() + "/tests")
                .body()
                .path("data");
        var report = FlowClient.expect(
                        200, ada.api().post("/v1/flows/" + flow.path("id").asText() + "/tests/run", Json.object()))
                .body();

        // then
        assertThat(tests).hasSize(1);
        assertThat(tests.path(0).at("/trigger/body/order").asText()).isEqualTo("A-7");
        assertThat(report.findValuesAsText("state")).as(report.toString()).containsExactly("passed");
    }

    @Test
    void leavesOutTheTestOfPinnedData_beyondTheLimitOfTests() {
        // when
        var flow = imported(pinned("{'text':'" + "x".repeat(TEST_KB * 1024) + "'}"));

        // then
        assertThat(flow.at("/report/differences").toString()).contains("AP_FLOW_TEST_MAX_KB");
        assertThat(flow.has("error")).isFalse();
        assertThat(ada.api()
                        .get("/v1/flows/" + flow.path("id").asText() + "/tests")
                        .body()
                        .path("data"))
                .isEmpty();
    }

    private static JsonNode imported(JsonNode workflow) {
        return FlowClient.expect(200, send(workflow, true, null))
                .body()
                .path("flows")
                .path(0);
    }

    /** A webhook flow that fetches the details of an order from a server; both outputs are pinned. */
    private static JsonNode pinned(String response) {
        return json("{'name':'Order','nodes':[{'name':'Webhook','type':'n8n-nodes-base.webhook','typeVersion':2,"
                + "'parameters':{'path':'order','httpMethod':'POST'}},"
                + "{'name':'Details','type':'n8n-nodes-base.httpRequest','typeVersion':4.2,"
                + "'parameters':{'url':'=https://orders.example.com/{{ $json.body.order }}'}}],"
                + "'connections':{'Webhook':{'main':[[{'node':'Details','type':'main','index':0}]]}},"
                + "'pinData':{'Webhook':[{'json':{'headers':{},'params':{},'query':{},'body':{'order':'A-7'}}}],"
                + "'Details':[{'json':" + response + "}]}}");
    }

    @Test
    void createsNothing_inADryRun() {
        // given
        var before = count();

        // when
        var answer = FlowClient.expect(200, send(ImportSamples.named("01"), false, null));

        // then
        assertThat(answer.body().at("/flows/0/report/nodes/exact").asInt()).isPositive();
        assertThat(answer.body().at("/flows/0").has("id")).isFalse();
        assertThat(count()).isEqualTo(before);
    }

    @Test
    void acceptsWorkflowsUpToTheLimit_andRefusesMore() {
        var one = ImportSamples.named("12");
        var most = Json.array();
        for (var index = 0; index < WORKFLOWS_MAX; index++) {
            most.add(one);
        }
        var more = most.deepCopy().add(one);

        assertThat(send(most, false, null).status()).isEqualTo(200);
        assertThat(send(more, false, null).status()).isEqualTo(400);
        assertThat(send(more, false, null).body().toString()).contains("AP_IMPORT_WORKFLOWS_MAX");
    }

    @Test
    void translatesNodesUpToTheLimit_andReportsLargerWorkflows() {
        var most = FlowClient.expect(200, send(chain(NODES_MAX), false, null));
        var more = FlowClient.expect(200, send(chain(NODES_MAX + 1), false, null));

        assertThat(most.body().path("flows").size()).isEqualTo(1);
        assertThat(more.body().path("flows").size()).isZero();
        assertThat(more.body().at("/report/workflows/0/problems/0").asText()).contains("AP_IMPORT_NODES_MAX");
    }

    @Test
    void refusesBodiesWithoutWorkflows() throws Exception {
        for (var body : List.of("{}", "{'workflows':1}", "{'workflows':null}", "{'workflows':{},'folder':1}", "[]")) {
            var json = Json.parse(body.replace('\'', '"'));
            if (json.isObject()) {
                ((ObjectNode) json).put("projectId", ada.projectId());
            }
            assertThat(ada.api().post("/v1/flows/import/n8n", json).status())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    private static JsonNode chain(int length) {
        var workflow = Json.object().put("name", "Chain");
        var nodes = workflow.putArray("nodes");
        for (var index = 0; index < length; index++) {
            nodes.addObject().put("name", "N" + index).put("type", "n8n-nodes-base.noOp");
        }
        return workflow;
    }

    private static int count() {
        return ada.api()
                .get("/v1/flows/count?projectId=" + ada.projectId())
                .body()
                .asInt();
    }

    private static Answer send(JsonNode workflows, boolean creates, String folder) {
        var request = Json.object().put("projectId", ada.projectId()).put("dryRun", !creates);
        request.set("workflows", workflows);
        if (folder != null) {
            request.put("folder", folder);
        }
        return ada.api().post("/v1/flows/import/n8n", request);
    }
}
