package io.millrace.engine.run.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Projects and flows with a shorter retention of runs than the server. */
final class RunRetentionIT {
    private static final Map<String, String> SETTINGS =
            Map.of("AP_ALLOW_OPEN_SIGN_UP", "true", "AP_EXECUTION_DATA_RETENTION_DAYS", "20");

    private static TestServer server;
    private static TestServer.SignedIn ada;

    @BeforeAll
    static void start() {
        server = TestServer.start(SETTINGS);
        ada = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LiveFlow flow(TestServer.SignedIn owner) {
        return LiveFlow.publish(
                owner,
                FlowScript.webhook()
                        .code("large_1", "exports.code = () => 'x'.repeat(40000)")
                        .returnJson("answer_1", "{'ok':true}"));
    }

    private static void run(TestServer asked, LiveFlow flow) {
        assertThat(asked.anonymous()
                        .post("/v1/webhooks/" + flow.id() + "/sync", Json.object())
                        .status())
                .isEqualTo(200);
    }

    private static Answer put(String path, String body) {
        return ada.api().post(path, Json.trusted(body));
    }

    private static long runsOf(TestServer asked, LiveFlow flow) {
        return asked.count("select count(*) from ended_run where flow_id = $1", flow.id());
    }

    private static long runs(TestServer asked) {
        return asked.count("select count(*) from ended_run");
    }

    private static long slices(TestServer asked) {
        return asked.count("select count(*) from file where type = 'FLOW_RUN_LOG_SLICE'");
    }

    /** Rounds are claimed by the clock of the database, which the previous server has set. */
    private static TestServer successor(TestServer before) {
        before.execute("delete from housekeeping_round");
        return before.successor();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}              | days Invalid input: expected a number of days or null
            {"days": 0}     | days Too small: expected number to be >=1
            {"days": 21}    | days Too big: expected number to be <=20
            {"days": 1.5}   | days Invalid input: expected int, received number
            {"days": "7"}   | days Invalid input: expected number, received string
            """)
    void refusesWhatIsNoTime(String body, String message) {
        var answer = put("/v1/projects/" + ada.projectId() + "/retention", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.toString()).contains(message);
        assertThat(ada.api()
                        .get("/v1/projects/" + ada.projectId() + "/retention")
                        .body()
                        .path("days")
                        .isNull())
                .isTrue();
    }

    @Test
    void isTheShortestOfFlowProjectAndServer() {
        // given
        var team = ada.inTeam("Team");
        var flow = flow(team);
        var ofFlow = "/v1/flows/" + flow.id() + "/retention";
        var ofProject = "/v1/projects/" + team.projectId() + "/retention";
        assertThat(ada.api().get(ofFlow).body().toString()).isEqualTo("{\"days\":null,\"effectiveDays\":20}");

        // when, then
        assertThat(put(ofFlow, "{\"days\": 9}").body().toString()).isEqualTo("{\"days\":9,\"effectiveDays\":9}");
        assertThat(put(ofProject, "{\"days\": 5}").body().toString()).isEqualTo("{\"days\":5,\"effectiveDays\":5}");
        assertThat(ada.api().get(ofFlow).body().toString()).isEqualTo("{\"days\":9,\"effectiveDays\":5}");
        assertThat(put(ofFlow, "{\"days\": 2}").body().toString()).isEqualTo("{\"days\":2,\"effectiveDays\":2}");
        assertThat(put(ofFlow, "{\"days\": null}").body().toString()).isEqualTo("{\"days\":null,\"effectiveDays\":5}");
        assertThat(put("/v1/flows/" + Ids.next() + "/retention", "{\"days\": 2}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void dropsRunsWithTheirOutputs_whenTheirTimeIsOver() {
        try (var own = TestServer.start(SETTINGS)) {
            // given a flow with a retention of three days, one without, and one of a project with six days
            var bob = own.signUp("bob@example.com", "Bob");
            var brief = flow(bob);
            var beside = flow(bob);
            var team = bob.inTeam("Brief");
            var ofTeam = flow(team);
            bob.api()
                    .post(
                            "/v1/flows/" + brief.id() + "/retention",
                            Json.object().put("days", 3));
            bob.api()
                    .post(
                            "/v1/projects/" + team.projectId() + "/retention",
                            Json.object().put("days", 6));
            run(own, brief);
            run(own, beside);
            run(own, ofTeam);
            own.clock().advance(Duration.ofDays(4));
            run(own, brief);
            Waiting.until("all runs are there", () -> runs(own) == 4 && slices(own) == 4);
            own.stopServer();

            // when the housekeeping at the start of a server runs
            try (var later = successor(own)) {
                // then
                Waiting.until("the old run is gone", () -> runsOf(later, brief) == 1);
                assertThat(slices(later)).isEqualTo(3);
                assertThat(runsOf(later, beside)).isEqualTo(1);
                assertThat(runsOf(later, ofTeam)).isEqualTo(1);
            }

            // when
            own.clock().advance(Duration.ofHours(60));
            try (var later = successor(own)) {
                // then
                Waiting.until("runs older than six days are deleted", () -> runsOf(later, ofTeam) == 0);
                assertThat(runsOf(later, brief)).isEqualTo(1);
                assertThat(runsOf(later, beside)).isEqualTo(1);
                assertThat(slices(later)).isEqualTo(2);
            }
        }
    }

    @Test
    void keepsFilesOfAWaitingRun_ofAnyAge() {
        try (var own = TestServer.start(SETTINGS)) {
            // given two flows that received a file, one of which waits for longer than its retention
            var bob = own.signUp("bob@example.com", "Bob");
            var patient = LiveFlow.publish(
                    bob, FlowScript.webhook().delay("wait_1", 864_000).returnJson("answer_1", "{'ok':true}"));
            var brief = LiveFlow.publish(bob, FlowScript.webhook().returnJson("answer_1", "{'ok':true}"));
            bob.api()
                    .post(
                            "/v1/projects/" + bob.projectId() + "/retention",
                            Json.object().put("days", 3));
            sendFile(own, patient);
            sendFile(own, brief);
            Waiting.until(
                    "one run waits and one has ended",
                    () -> runs(own) == 1 && own.count("select count(*) from run where status = 'PAUSED'") == 1);
            own.clock().advance(Duration.ofDays(4));
            own.stopServer();

            // when
            try (var later = successor(own)) {
                // then
                Waiting.until("the file of the ended run is gone", () -> filesOf(later, brief) == 0);
                assertThat(filesOf(later, patient)).isEqualTo(1);
            }
        }
    }

    private static void sendFile(TestServer asked, LiveFlow flow) {
        assertThat(asked.anonymous()
                        .postForm("/v1/webhooks/" + flow.id(), Map.of(), "photo", "photo.png", new byte[] {1, 2, 3})
                        .status())
                .isEqualTo(200);
        assertThat(filesOf(asked, flow)).isEqualTo(1);
    }

    private static long filesOf(TestServer asked, LiveFlow flow) {
        return asked.count(
                "select count(*) from file where type = 'FLOW_STEP_FILE' and metadata ->> 'flowId' = $1", flow.id());
    }
}
