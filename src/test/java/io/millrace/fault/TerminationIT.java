package io.millrace.fault;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** SIGTERM while runs execute long steps. */
@Slow(Slow.Reason.FAULT)
final class TerminationIT {
    private static final Duration START_DEADLINE = Duration.ofSeconds(90);

    private static final int SHUTDOWN_SECONDS = 4;

    /** AP_SHUTDOWN_SECONDS, and an allowance for a busy machine; the code and the delay take longer than both. */
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(SHUTDOWN_SECONDS + 3);

    private static final int ENDED_BY_TERM = 128 + 15;

    private static final Map<String, String> SETTINGS = Map.of(
            "AP_LOG_LEVEL", "warn",
            "AP_SSRF_ALLOW_LIST", "127.0.0.1",
            "AP_EVENT_LOOPS", "2",
            "AP_SHUTDOWN_SECONDS", Integer.toString(SHUTDOWN_SECONDS));

    /** From the event until the code ends: a start of the worker, and then longer than a stop may take. */
    private static final Duration CODE_LASTS = Duration.ofSeconds(12);

    /** Counts until a given time, so that the execution after the restart is as short as possible. */
    private static final String LONG_CODE =
            "export const code = async ({until}) => { while (Date.now() < until) {} return 'counted'; };";

    @Test
    void endsInTime_andHandsOverWhatHasNotEnded() {
        try (var sink = Sink.start();
                var directory = DataDirectory.prepared()) {
            List<PublishedFlow> flows;
            try (var server = ServerProcess.ofClasses(directory.path(), SETTINGS)) {
                // given runs in a delay and in code, and a caller that waits
                var api = server.api(START_DEADLINE);
                flows = List.of(
                        flow(
                                api,
                                webhook()
                                        .http("step_1", "POST", sink.url("delay", "1"))
                                        .delay("step_2", 9)),
                        flow(
                                api,
                                webhook()
                                        .http("step_1", "POST", sink.url("code", "2"))
                                        .code("step_2", LONG_CODE, "{'until':'{{trigger.output.body.until}}'}")));
                var event = Json.object()
                        .put("until", Instant.now().plus(CODE_LASTS).toEpochMilli());
                flows.forEach(flow -> assertThat(flow.api()
                                .post("/v1/webhooks/" + flow.flowId(), event)
                                .status())
                        .isEqualTo(200));
                var waiting = flows.getFirst();
                var _ = CompletableFuture.supplyAsync(
                        () -> waiting.api().post("/v1/webhooks/" + waiting.flowId() + "/sync", json("{}")));
                Waiting.until("all have begun", () -> sink.calls().size() == 3);

                // when the server gets a SIGTERM
                server.terminate();

                // then the process ends in time
                assertThat(server.exitStatus(STOP_DEADLINE)).as(server.output()).isEqualTo(ENDED_BY_TERM);
                // A stalled machine may have used up the time; then the watchdog ends the database.
                Waiting.until(
                        "the database has ended", () -> directory.postmaster().isEmpty());
            }

            // then its successor resumes all of them, and repeats no recorded step
            try (var next = ServerProcess.ofClasses(directory.path(), SETTINGS)) {
                var api = next.api(START_DEADLINE);
                for (var flow : flows) {
                    var there = flow.at(api);
                    Waiting.until("all of it end", Duration.ofSeconds(90), () -> hasEndedWell(there));
                }
                assertThat(sink.calls()).hasSize(3);
            }
        }
    }

    private static boolean hasEndedWell(PublishedFlow flow) {
        return flow.runs().stream().allMatch(run -> run.path("status").asText().equals("SUCCEEDED"));
    }

    private static PublishedFlow flow(ApiClient api, FlowScript script) {
        return PublishedFlow.create(api, script.importOperation("Ends").path("request"));
    }
}
