package io.millrace.workspace.project;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that members create are bounded per project, and rows of a platform per platform. */
final class RowBoundsIT {
    private static final int MAX = 2;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_PROJECT_ROWS_MAX", "2")
            .with("AP_ALERT_RECEIVERS_MAX", "2")
            .with("AP_EVENT_DESTINATIONS_MAX", "2")
            .with("AP_INVITATIONS_MAX", "2")
            .with("AP_TABLE_WEBHOOKS_MAX", "2")
            .with("AP_STORE_ENTRIES_MAX", "2")
            .with("AP_TEMPLATES_MAX", "2")
            .start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final TestServer.SignedIn mill = ada.inTeam("Mill " + Ids.next());

    /** NAME is replaced by another word in each request. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        /v1/flows              | flow           | flows       | AP_PROJECT_ROWS_MAX       | {'displayName':'NAME'}
        /v1/folders            | folder         | folders     | AP_PROJECT_ROWS_MAX       | {'displayName':'NAME'}
        /v1/tables             | data_table     | tables      | AP_PROJECT_ROWS_MAX       | {'name':'NAME'}
        /v1/variables          | variable       | variables   | AP_PROJECT_ROWS_MAX       | {'name':'NAME','value':'x'}
        /v1/agents             | agent          | agents      | AP_PROJECT_ROWS_MAX       | {'displayName':'NAME','description':null,'icon':'bot','color':'BLUE','draft':{'instructions':'Work.'}}
        /v1/app-connections    | app_connection | connections | AP_PROJECT_ROWS_MAX       | {'externalId':'NAME','displayName':'C','pieceName':'@activepieces/piece-http','type':'SECRET_TEXT','value':{'type':'SECRET_TEXT','secret_text':'s'}}
        /v1/alerts             | alert          | receivers of alerts | AP_ALERT_RECEIVERS_MAX | {'channel':'EMAIL','receiver':'NAME@example.com'}
        """)
    void createsAsManyRowsAsAllowed_andNoneBeyond(String path, String table, String rows, String setting, String body) {
        // Given
        var count = "select count(*) from " + table + " where project_id = $1";
        for (var left = MAX - server.count(count, mill.projectId()); left > 0; left--) {
            assertThat(mill.api().post(path, body(body)).status()).isLessThan(300);
        }

        // When
        var beyond = mill.api().post(path, body(body));

        // Then
        assertThat(beyond.status()).as("%s", beyond).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .startsWith(rows + ": expected at most 2 in the project, found 2 and another")
                .endsWith("raise " + setting);
        assertThat(server.count(count, mill.projectId())).isEqualTo(MAX);
    }

    private ObjectNode body(String text) {
        return ((ObjectNode) json(text.replace("NAME", "n" + Ids.next()))).put("projectId", mill.projectId());
    }

    @Test
    void overwritesARow_whenThereAreAsManyAsAllowed() {
        // Given
        var variable = json("{'name':'kept','value':'1'}");
        var folder = json("{'displayName':'kept'}");
        for (var request : new ObjectNode[] {(ObjectNode) variable, (ObjectNode) folder}) {
            request.put("projectId", mill.projectId());
        }
        mill.api().post("/v1/variables", variable);
        mill.api().post("/v1/variables", body("{'name':'NAME','value':'x'}"));
        mill.api().post("/v1/folders", folder);
        mill.api().post("/v1/folders", body("{'displayName':'NAME'}"));

        // Then
        assertThat(mill.api().post("/v1/variables", variable).status()).isLessThan(300);
        assertThat(mill.api().post("/v1/folders", folder).status()).isLessThan(300);
    }

    @Test
    void leavesNoFolder_whenAFlowBringsOneTooMany() {
        // Given
        mill.api().post("/v1/folders", body("{'displayName':'NAME'}"));
        mill.api().post("/v1/folders", body("{'displayName':'NAME'}"));

        // When
        var flow = mill.api().post("/v1/flows", body("{'displayName':'NAME','folderName':'NAME'}"));

        // Then
        assertThat(flow.status()).isEqualTo(409);
        assertThat(server.count("select count(*) from folder where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
        assertThat(server.count("select count(*) from flow where project_id = $1", mill.projectId()))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "SHARED,shared templates,raise AP_TEMPLATES_MAX",
        "CUSTOM,templates,delete some or raise AP_TEMPLATES_MAX"
    })
    void createsAsManyTemplatesOfAKindAsAllowed(String type, String rows, String cure) {
        // Given
        var template = (ObjectNode)
                json("{'name':'T','summary':'','description':'','tags':[],'author':'Ada','categories':[],'flows':[]}");
        template.put("type", type);
        for (var left = MAX; left > 0; left--) {
            assertThat(ada.api().post("/v1/templates", template).status()).isEqualTo(200);
        }

        // When
        var beyond = ada.api().post("/v1/templates", template);

        // Then
        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .isEqualTo(rows + ": expected at most 2 in the platform, found 2 and another; " + cure);
        assertThat(server.count("select count(*) from template where type = $1", type))
                .isEqualTo(MAX);
    }

    @Test
    void createsAsManyInvitationsAsAllowed_andRepeatsEach() {
        var first = invite("one@example.com");
        assertThat(invite("two@example.com").status()).isLessThan(300);

        var beyond = invite("three@example.com");
        var again = invite("two@example.com");
        ada.api().delete("/v1/user-invitations/" + first.text("/id"));
        var instead = invite("three@example.com");

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .isEqualTo("invitations: expected at most 2 in the platform, found 2 and another; delete some or raise"
                        + " AP_INVITATIONS_MAX");
        assertThat(again.status()).as("%s", again).isLessThan(300);
        assertThat(instead.status()).isLessThan(300);
    }

    private static ApiClient.Answer invite(String email) {
        return ada.api()
                .post(
                        "/v1/user-invitations",
                        json("{'type':'PLATFORM','email':'" + email + "','platformRole':'MEMBER'}"));
    }

    @Test
    void createsAsManyWebhooksOfATableAsAllowed() {
        var flow = LiveFlow.publish(mill, FlowScript.webhook());
        var table = mill.api().post("/v1/tables", body("{'name':'NAME'}")).text("/id");
        var path = "/v1/tables/" + table + "/webhooks";
        var request = json("{'webhookUrl':'http://ignored','flowId':'" + flow.id() + "','events':['RECORD_CREATED']}");
        var first = mill.api().post(path, request);
        assertThat(mill.api().post(path, request).status()).isLessThan(300);

        var beyond = mill.api().post(path, request);
        mill.api().delete(path + "/" + first.text("/id"));
        var instead = mill.api().post(path, request);

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .contains("webhooks: expected at most 2 in the table", "AP_TABLE_WEBHOOKS_MAX");
        assertThat(instead.status()).as("%s", instead).isLessThan(300);
    }

    @Test
    void storesAsManyEntriesAsAllowed_andOverwritesEach() {
        var code = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(mill.projectId()));
        assertThat(store(code, "a", 1)).isEqualTo(200);
        assertThat(store(code, "b", 1)).isEqualTo(200);

        var beyond = code.post("/v1/store-entries", json("{'key':'c','value':1}"));

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .contains("store entries: expected at most 2 in the project", "AP_STORE_ENTRIES_MAX");
        assertThat(store(code, "b", 2)).isEqualTo(200);
        assertThat(code.get("/v1/store-entries?key=b").text("/value")).isEqualTo("2");
        code.delete("/v1/store-entries?key=a");
        assertThat(store(code, "c", 1)).isEqualTo(200);
        assertThat(server.count("select count(*) from store_entry where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
    }

    private static int store(ApiClient code, String key, int value) {
        return code.post("/v1/store-entries", json("{'key':'" + key + "','value':" + value + "}"))
                .status();
    }

    @Test
    void createsAsManyReleasesAsAllowed() {
        var source = ada.inTeam("Source " + Ids.next());
        LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'a':1}"));
        var request = body("{'type':'PROJECT','targetProjectId':'" + source.projectId() + "','name':'NAME'}");
        for (var release = 0; release < MAX; release++) {
            assertThat(mill.api().post("/v1/project-releases", request).status())
                    .isLessThan(300);
        }

        var beyond = mill.api().post("/v1/project-releases", request);

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .isEqualTo("releases: expected at most 2 in the project, found 2 and another; raise"
                        + " AP_PROJECT_ROWS_MAX");
        assertThat(server.count("select count(*) from project_release where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
    }

    @Test
    void createsAsManyEventDestinationsAsAllowed() {
        var request = json("{'url':'https://events.example.com','events':['flow.created']}");
        var first = ada.api().post("/v1/event-destinations", request);
        assertThat(ada.api().post("/v1/event-destinations", request).status()).isLessThan(300);

        var beyond = ada.api().post("/v1/event-destinations", request);
        ada.api().delete("/v1/event-destinations/" + first.text("/id"));
        var instead = ada.api().post("/v1/event-destinations", request);

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .contains("expected at most 2 in the platform", "AP_EVENT_DESTINATIONS_MAX");
        assertThat(instead.status()).isLessThan(300);
    }
}
