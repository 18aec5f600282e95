package io.millrace.workspace.project;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Concurrent creations do not exceed a limit of rows, not even by one. */
final class ConcurrentCreationIT {
    private static final int MAX = 3;

    /** Number of concurrent requests: more than the limit admits, fewer than the connections of the database. */
    private static final int WRITERS = 9;

    private static final int OPEN_PIECE_REQUESTS_MAX = 20;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_PROJECT_ROWS_MAX", "3")
            .with("AP_ALERT_RECEIVERS_MAX", "3")
            .with("AP_EVENT_DESTINATIONS_MAX", "3")
            .with("AP_INVITATIONS_MAX", "3")
            .with("AP_TABLE_WEBHOOKS_MAX", "3")
            .with("AP_STORE_ENTRIES_MAX", "3")
            .with("AP_MCP_SERVERS_MAX", "3")
            .start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final TestServer.SignedIn mill = ada.inTeam("Mill " + Ids.next());

    /** NAME is replaced by another word in each request. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        /v1/flows                     | flow              | {'displayName':'NAME'}
        /v1/folders                   | folder            | {'displayName':'NAME'}
        /v1/tables                    | data_table        | {'name':'NAME'}
        /v1/variables                 | variable          | {'name':'NAME','value':'x'}
        /v1/agents                    | agent             | {'displayName':'NAME','description':null,'icon':'bot','color':'BLUE','draft':{'instructions':'Work.'}}
        /v1/app-connections           | app_connection    | {'externalId':'NAME','displayName':'C','pieceName':'@activepieces/piece-http','type':'SECRET_TEXT','value':{'type':'SECRET_TEXT','secret_text':'s'}}
        /v1/alerts                    | alert             | {'channel':'EMAIL','receiver':'NAME@example.com'}
        /v1/mcp/PROJECT/servers       | mcp_custom_server | {'displayName':'NAME'}
        """)
    void admitsNoMoreThanTheLimit_ofTheRowsOfAProject(String path, String table, String body) {
        var count = "select count(*) from " + table + " where project_id = $1";
        var there = server.count(count, mill.projectId());

        var answers = atOnce(() -> mill.api().post(path.replace("PROJECT", mill.projectId()), body(body)), WRITERS);

        assertThat(server.count(count, mill.projectId())).isEqualTo(MAX);
        assertAdmitted(answers, MAX - there);
    }

    @Test
    void createsOneFolder_whenAllRequestsHaveItsName() {
        var name = "n" + Ids.next();

        var answers = atOnce(() -> mill.api().post("/v1/folders", body("{'displayName':'" + name + "'}")), WRITERS);

        assertAdmitted(answers, WRITERS);
        assertThat(answers.stream().map(answer -> answer.text("/id")).distinct())
                .hasSize(1);
    }

    @Test
    void createsOneRole_whenNamesDifferInCaseOnly() {
        var name = "role" + Ids.next().toLowerCase(Locale.ROOT);
        var requests = new AtomicInteger();

        var answers = atOnce(
                () -> {
                    var given = requests.getAndIncrement() % 2 == 0 ? name : name.toUpperCase(Locale.ROOT);
                    return ada.api()
                            .post(
                                    "/v1/project-roles",
                                    json("{'name':'" + given + "','permissions':[],'type':'CUSTOM'}"));
                },
                WRITERS);

        assertAdmitted(answers, 1);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofFoldersThatFlowsBring() {
        atOnce(() -> mill.api().post("/v1/flows", body("{'displayName':'NAME','folderName':'NAME'}")), WRITERS);

        assertThat(server.count("select count(*) from folder where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
        assertThat(server.count("select count(*) from flow where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofWebhooksOfATable() {
        var flow = LiveFlow.publish(mill, FlowScript.webhook());
        var table = mill.api().post("/v1/tables", body("{'name':'NAME'}")).text("/id");
        var request = json("{'webhookUrl':'http://ignored','flowId':'" + flow.id() + "','events':['RECORD_CREATED']}");

        var answers = atOnce(() -> mill.api().post("/v1/tables/" + table + "/webhooks", request), WRITERS);

        assertThat(server.count("select count(*) from table_webhook where table_id = $1", table))
                .isEqualTo(MAX);
        assertAdmitted(answers, MAX);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofStoredValues() {
        var code = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(mill.projectId()));

        var answers =
                atOnce(() -> code.post("/v1/store-entries", json("{'key':'" + Ids.next() + "','value':1}")), WRITERS);

        assertThat(server.count("select count(*) from store_entry where project_id = $1", mill.projectId()))
                .isEqualTo(MAX);
        assertAdmitted(answers, MAX);
    }

    @Test
    void storesOneValue_whenAllRequestsHaveItsKey() {
        var code = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(mill.projectId()));

        var answers = atOnce(() -> code.post("/v1/store-entries", json("{'key':'one','value':1}")), WRITERS);

        assertAdmitted(answers, WRITERS);
        assertThat(server.count("select count(*) from store_entry where project_id = $1", mill.projectId()))
                .isEqualTo(1);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofReleases() {
        var source = ada.inTeam("Source " + Ids.next());
        LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'a':1}"));
        var request = "{'type':'PROJECT','targetProjectId':'" + source.projectId() + "','name':'NAME'}";

        atOnce(() -> mill.api().post("/v1/project-releases", body(request)), MAX * 2);

        assertThat(server.count("select count(*) from project_release where project_id = $1", mill.projectId()))
                .isLessThanOrEqualTo(MAX);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofTheRowsOfAPlatform() {
        var invited = atOnce(
                () -> ada.api()
                        .post(
                                "/v1/user-invitations",
                                json("{'type':'PLATFORM','email':'" + Ids.next()
                                        + "@example.com','platformRole':'MEMBER'}")),
                WRITERS);
        var destinations = atOnce(
                () -> ada.api()
                        .post(
                                "/v1/event-destinations",
                                json("{'url':'https://events.example.com','events':['flow.created']}")),
                WRITERS);

        assertAdmitted(invited, MAX);
        assertAdmitted(destinations, MAX);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofTeamProjects() {
        try (var small =
                ServerSettings.openSignUp().with("AP_TEAM_PROJECTS_MAX", "3").start()) {
            var owner = small.signUp("ada@example.com", "Ada");

            var answers = atOnce(
                    () -> owner.api().post("/v1/projects", json("{'displayName':'" + Ids.next() + "'}")), WRITERS);

            assertAdmitted(answers, MAX);
        }
    }

    @Test
    void admitsNoMoreThanTheLimit_ofOpenRequestsForPieces() {
        var answers = atOnce(
                () -> ada.api()
                        .post(
                                "/v1/piece-requests",
                                json("{'pieceName':'@example/piece-"
                                        + Ids.next().toLowerCase(Locale.ROOT)
                                        + "','pieceVersion':'1.0.0','reason':'r'}")),
                OPEN_PIECE_REQUESTS_MAX + WRITERS);

        assertAdmitted(answers, OPEN_PIECE_REQUESTS_MAX);
    }

    /** Each response is a success or a refusal by the limit. */
    private static void assertAdmitted(List<Answer> answers, long expected) {
        var refused = answers.stream()
                .map(Answer::status)
                .filter(status -> status >= 300)
                .toList();
        assertThat(refused).hasSize(answers.size() - (int) expected).allMatch(status -> status == 409);
    }

    private ObjectNode body(String text) {
        return ((ObjectNode) json(text.replace("NAME", "n" + Ids.next()))).put("projectId", mill.projectId());
    }

    /** Responses to requests that begin concurrently. */
    private static List<Answer> atOnce(Callable<Answer> request, int writers) {
        var start = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = Stream.generate(() -> threads.submit(() -> {
                        start.await();
                        return request.call();
                    }))
                    .limit(writers)
                    .toList();
            start.countDown();
            return asked.stream().map(ConcurrentCreationIT::result).toList();
        }
    }

    private static Answer result(Future<Answer> asked) {
        try {
            return asked.get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }
}
