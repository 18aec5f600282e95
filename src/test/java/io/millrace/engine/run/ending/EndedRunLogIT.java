package io.millrace.engine.run.ending;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Log lines of ended runs. */
final class EndedRunLogIT {
    private static final String LOGGER = EndedRunLog.class.getName();
    private static final String SECRET = "hunter2";

    @Test
    void hasALineOfEveryFailure_thatNamesRunFlowAndProject_butNoValue() {
        try (var server = TestServer.startInRealTime(Map.of("AP_LOG_SAMPLE_RATE_RUNS", "0"));
                var log = RecordedLog.of(LOGGER)) {
            // given a flow that fails with a secret in its error, and one that does not fail
            var failing = flow(server, webhook().http("step_1", "POST", "http://" + SECRET + ".invalid/"));
            var good = flow(server, webhook().returnJson("step_1", "{}"));

            // when
            good.api().post("/v1/webhooks/" + good.flowId() + "/sync", json("{}"));
            failing.api().post("/v1/webhooks/" + failing.flowId() + "/sync", json("{}"));

            // then
            Waiting.until("it is logged", () -> !log.lines().isEmpty());
            var run = failing.runs().getFirst();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "WARN a run failed flowRun.id=" + run.path("id").asText() + " flow.id=" + failing.flowId()
                                    + " project.id=" + run.path("projectId").asText() + " job.id="
                                    + run.path("id").asText() + " status=FAILED durationMs=")
                    .endsWith(" error=FAILED at step_1")
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void hasALineOfEveryRun_whenAllAreWanted() {
        try (var server = TestServer.startInRealTime(Map.of("AP_LOG_SAMPLE_RATE_RUNS", "100"));
                var log = RecordedLog.of(LOGGER)) {
            var flow = flow(server, webhook().returnJson("step_1", "{}"));

            // when
            List.of(1, 2, 3).forEach(_ -> flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", json("{}")));

            // then
            Waiting.until("all are logged", () -> log.lines().size() == 3);
            assertThat(log.lines())
                    .allMatch(line -> line.startsWith("INFO a run ended flowRun.id=") && !line.contains("error="));
        }
    }

    private static PublishedFlow flow(TestServer server, FlowScript script) {
        return PublishedFlow.create(
                server.anonymous(), script.importOperation("Logged").path("request"));
    }
}
