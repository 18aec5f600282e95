package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Versions stored by an earlier release (contract flows-and-engine 2.14). */
class StoredVersionIT {
    private static final String OLD_STEP =
            "{'name':'step_1','displayName':'d','type':'BRANCH','valid':true,'settings':{'conditions':[[{'firstValue':"
                    + "'{{trigger.body.a}}','operator':'EXISTS'}]],'inputUiInfo':{}},'onSuccessAction':{'name':'step_2',"
                    + "'displayName':'d','type':'PIECE','valid':true,'settings':{'pieceName':'@activepieces/piece-webhook',"
                    + "'pieceVersion':'~0.1.20','actionName':'return_response','input':{'responseType':'json','respond':"
                    + "'stop','fields':{'status':200,'headers':{},'body':{'got':'{{trigger.body.a}}'}}},"
                    + "'inputUiInfo':{'sampleDataFileId':'sample'}}}}";

    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private FlowClient flow;

    /** Stores a flow whose version has the format of the oldest schema. */
    @BeforeEach
    void makeOldFlow() {
        flow = FlowClient.create(ada.api(), ada.projectId(), "Old");
        var trigger = FlowSamples.json(FlowClient.WEBHOOK);
        trigger.set("nextAction", FlowSamples.json(OLD_STEP));
        server.execute(
                "update flow_version set trigger = $2, schema_version = null where flow_id = $1",
                flow.flowId(),
                Buffer.buffer(Json.bytes(trigger)));
    }

    private long backups() {
        return server.count(
                "select count(*) from file where type = 'FLOW_VERSION_BACKUP' and metadata ->> 'flowId' = $1",
                flow.flowId());
    }

    @Test
    void showsTodaysShape_andKeepsWhatWasThere() {
        // given
        var dated = server.count("select (extract(epoch from updated) * 1000)::bigint from flow_version"
                + " where flow_id = '" + flow.flowId() + "'");
        var listed = expect(
                200, ada.api().get("/v1/flows?projectId=" + ada.projectId() + "&externalIds=" + flowExternalId()));

        // when
        var version = flow.version();
        var again = flow.version();

        // then
        assertThat(listed.text("/data/0/version/trigger/nextAction/type")).isEqualTo("ROUTER");
        assertThat(version.path("schemaVersion").asText()).isEqualTo("22");
        assertThat(version.path("valid").asBoolean()).isTrue();
        var router = version.at("/trigger/nextAction");
        assertThat(router.at("/settings/branches/0/conditions/0/0/firstValue").asText())
                .isEqualTo("{{trigger['output'].body.a}}");
        assertThat(router.at("/children/0/settings/pieceVersion").asText()).isEqualTo("0.1.20");
        assertThat(router.at("/children/0/settings/sampleData/sampleDataFileId").asText())
                .isEqualTo("sample");
        assertThat(router.path("lastUpdatedDate").asText())
                .isEqualTo(version.path("updated").asText());
        assertThat(router.at("/children/1").isNull()).isTrue();
        assertThat(again).isEqualTo(version);
        assertThat(backups()).isOne();
        assertThat(server.count("select count(*) from file where type = 'FLOW_VERSION_BACKUP' and id = '"
                        + version.at("/backupFiles/0").asText()
                        + "' and position('BRANCH' in encode(data, 'escape')) > 0"))
                .isOne();
        assertThat(server.count("select (extract(epoch from updated) * 1000)::bigint from flow_version"
                        + " where flow_id = '" + flow.flowId() + "'"))
                .isEqualTo(dated);
    }

    private String flowExternalId() {
        server.execute("update flow set external_id = id where id = $1", flow.flowId());
        return flow.flowId();
    }

    @Test
    void editsAndRunsIt_withoutLosingTheBackup() {
        // when
        var renamed = flow.change("CHANGE_NAME", "{'displayName':'New'}");
        expect(200, flow.publish());
        var answer = ada.api()
                .post("/v1/webhooks/" + flow.flowId() + "/sync", Json.object().put("a", "x"));

        // then
        assertThat(renamed.at("/version/backupFiles")).hasSize(1);
        assertThat(renamed.at("/version/trigger/nextAction/type").asText()).isEqualTo("ROUTER");
        assertThat(answer.text("/got")).isEqualTo("x");
        assertThat(flow.version().path("backupFiles")).hasSize(1);
        assertThat(backups()).isOne();
    }
}
