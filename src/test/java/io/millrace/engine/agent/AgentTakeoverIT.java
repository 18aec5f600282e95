package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.AgentCaller;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of runs whose server has crashed or whose records are large, tested on both sides of each limit. */
class AgentTakeoverIT {
    private static final int CRASHES_MAX = 2;
    private static final int MB = 1 << 20;

    @Test
    void setsRunsAside_afterTooManyCrashesOrRecords() {
        try (var model = ModelServer.start();
                var server = TestServer.startInRealTime(Map.of(
                        "AP_SSRF_ALLOW_LIST",
                        "127.0.0.1",
                        "AP_RUN_MEMORY_MAX_MB",
                        "512",
                        "AP_RUN_CRASH_RECOVERIES_MAX",
                        String.valueOf(CRASHES_MAX)))) {
            // given runs that wait for their model
            var ada = server.signUp("ada@example.com", "Ada");
            var agents = new AgentCaller(ada);
            model.serve(ada);
            model.holding();
            var ids = Stream.generate(() -> agents.start(agents.order("Work.")).text("/runId"))
                    .limit(8)
                    .toList();
            Waiting.until("the model is asked by all", () -> model.questions.size() == ids.size());
            var atLimitOfCrashes = ids.get(0);
            var aboveLimitOfCrashes = ids.get(1);
            var progressed = ids.get(2);
            var releasedAsPlanned = ids.get(3);
            var atLimitOfRecords = ids.get(4);
            var aboveLimitOfRecords = ids.get(5);
            var aboveLimitOfReads = ids.get(6);
            var overdue = ids.get(7);

            // when the servers of some have crashed, others have large records, and one has exceeded its time limit
            server.execute("insert into node (id, lease_until) values ('crashed', now() - interval '1 second')");
            crashes(server, atLimitOfCrashes, CRASHES_MAX - 1);
            crashes(server, aboveLimitOfCrashes, CRASHES_MAX);
            crashes(server, progressed, CRASHES_MAX);
            record(server, progressed, 10);
            server.execute(
                    "update agent_run set owner = 'unknown', crashes = " + CRASHES_MAX + " where id = $1",
                    releasedAsPlanned);
            record(server, atLimitOfRecords, 16 * MB - 100);
            record(server, aboveLimitOfRecords, 16 * MB + 1);
            record(server, aboveLimitOfReads, 33 * MB);
            record(server, overdue, 33 * MB);
            server.execute("update agent_run set created = created - interval '3 hours' where id = $1", overdue);
            server.stopServer();
            model.questions.clear();
            model.release();
            model.otherwise(_ -> ModelServer.text("Fine."));
            try (var successor = server.successor()) {
                var api = new AgentCaller(new TestServer.SignedIn(
                        ada.api().at(successor), ada.userId(), ada.platformId(), ada.projectId()));

                // then the runs below the limits continue
                assertCompleted(api.ended(atLimitOfCrashes));
                assertCompleted(api.ended(progressed));
                assertCompleted(api.ended(releasedAsPlanned));
                assertCompleted(api.ended(atLimitOfRecords));
                assertThat(model.questions).hasSize(4);
                assertThat(server.count("select crashes from agent_run where id = $1", atLimitOfCrashes))
                        .isEqualTo(CRASHES_MAX);
                assertThat(server.count("select crashes from agent_run where id = $1", progressed))
                        .isOne();

                // and the others end without another request
                assertThat(failure(api.ended(aboveLimitOfCrashes)))
                        .isEqualTo("The agent was set aside: 3 servers in succession ended while it was running");
                assertThat(failure(api.ended(aboveLimitOfRecords)))
                        .contains("The agent was stopped", "expected at most " + 16 * MB);
                assertThat(failure(api.ended(aboveLimitOfReads)))
                        .contains("The agent was stopped", "expected at most " + 16 * MB);
                assertThat(api.ended(overdue).at("/result/steps/0/markdown").asText())
                        .contains("exceeded its time limit");
            }
        }
    }

    private static void crashes(TestServer server, String run, int before) {
        server.execute("update agent_run set owner = 'crashed', crashes = " + before + " where id = $1", run);
    }

    /** A record of a call with that many bytes as JSON. */
    private static void record(TestServer server, String run, int bytes) {
        var frame = "{\"x\":\"\"}".length();
        server.execute(
                "insert into agent_run_record (run_id, turn, call, content) values ($1, 0, 0,"
                        + " ('{\"x\":\"' || repeat('x', " + (bytes - frame) + ") || '\"}')::json)",
                run);
    }

    private static void assertCompleted(JsonNode run) {
        assertThat(run.at("/result/status").asText()).as(run.toPrettyString()).isEqualTo("COMPLETED");
    }

    private static String failure(JsonNode run) {
        return run.at("/result/failure").asText();
    }
}
