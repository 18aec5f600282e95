package io.millrace.fault.poison;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Run that ends its server, and every server that takes it over. */
@Slow(Slow.Reason.FAULT)
final class PoisonRunIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int INNOCENT = 3;

    /** AP_RUN_CRASH_RECOVERIES_MAX: two of the recoveries execute the run as a suspect on trial. */
    private static final int RECOVERIES = 3;

    /** The first call of a new server must be answered within the control period on a busy machine. */
    private static final String HASTE = "1";

    /** The first crash, and those of the recoveries. */
    private static final int CRASHES = 1 + RECOVERIES;

    /** On a slow machine the first crashes come later than the end of a trial, and do not count against a run. */
    private static final int ENDS_MAX = CRASHES + 3;

    @Test
    void isSetAside_withoutEffectOnOtherRuns() throws IOException {
        try (var directory = DataDirectory.prepared();
                var outside = Outside.start()) {
            // given runs in the middle of a call, and one that ends the server during them
            var server = start(directory);
            var poisoned = publish(
                    server,
                    webhook()
                            .http("step_1", "POST", outside.url("/before"))
                            .piece("step_2", Poison.NAME, Poison.VERSION, Poison.ACTION, Json.object())
                            .map("step_3", "{'n':'{{trigger.output.body.n}}'}"));
            var innocent = publish(
                    server,
                    webhook().http("step_1", "POST", outside.url("/held")).map("step_2", "{'done':true}"));
            var quick = publish(server, webhook().returnJson("step_1", "{'quick':true}"));
            for (var run = 0; run < INNOCENT; run++) {
                innocent.api().post("/v1/webhooks/" + innocent.flowId(), Json.object());
            }
            outside.awaitCalls(INNOCENT);
            var _ = poisoned.api()
                    .postAsync(
                            "/v1/webhooks/" + poisoned.flowId(), Json.object().put("n", 7));
            server.exitStatus(DEADLINE);

            // when servers are started until one stays alive
            var crashes = 1;
            server = restart(directory, server);
            while (endsBefore(server, poisoned, crashes >= 2 ? outside::release : () -> {})) {
                crashes++;
                server = restart(directory, server);
                assertThat(crashes).isLessThanOrEqualTo(ENDS_MAX);
                if (crashes >= 2) {
                    // then a server with a suspect of two crashes serves other requests before the suspect ends it
                    assertThat(server.api(DEADLINE)
                                    .post("/v1/webhooks/" + quick.flowId() + "/sync", Json.object())
                                    .body())
                            .isEqualTo(FlowScript.json("{'quick':true}"));
                }
            }

            // then the run has the reason for which it was set aside, and no other run was set aside
            try (var last = server) {
                var api = last.api(DEADLINE);
                assertThat(crashes).isBetween(CRASHES, ENDS_MAX);
                var run = only(poisoned.at(api));
                assertThat(run.path("status").asText()).isEqualTo("INTERNAL_ERROR");
                assertThat(run.at("/failedStep/name").asText()).isEqualTo("step_2");
                assertThat(run.at("/internalError/message").asText())
                        .contains("ended " + CRASHES + " times while this run was executing at step_2");
                var others = innocent.at(api);
                Waiting.until("the others have ended", DEADLINE, () -> {
                    outside.release();
                    return statuses(others).stream().noneMatch(status -> status.matches("RUNNING|QUEUED"));
                });
                assertThat(statuses(others)).hasSize(INNOCENT).containsOnly("SUCCEEDED");
                assertThat(outside.paths()).containsOnlyOnce("/before");

                // and it continues at its step after its author has fixed and retried it
                Files.createFile(directory.path().resolve("antidote"));
                var retried = poisoned.at(api);
                retried.api()
                        .post(
                                "/v1/flow-runs/" + run.path("id").asText() + "/retry",
                                Json.object()
                                        .put("projectId", retried.projectId())
                                        .put("strategy", "FROM_FAILED_STEP"));
                Waiting.until("the run has ended well", () -> statuses(retried).equals(List.of("SUCCEEDED")));
                assertThat(only(retried).at("/steps/step_3/output/n").asInt()).isEqualTo(7);
                assertThat(outside.paths()).containsOnlyOnce("/before");
            }
        }
    }

    /**
     * Returns true if the server exits before it has set the run aside.
     *
     * @param meanwhile action repeated until then
     */
    private static boolean endsBefore(ServerProcess server, PublishedFlow poisoned, Runnable meanwhile) {
        Waiting.until("the server ends or listens", DEADLINE, () -> !server.isAlive() || server.isListening());
        Waiting.until("the server ends or sets the run aside", DEADLINE, () -> {
            meanwhile.run();
            return !server.isAlive() || isSetAside(server, poisoned);
        });
        return !server.isAlive();
    }

    private static boolean isSetAside(ServerProcess server, PublishedFlow poisoned) {
        try {
            return statuses(poisoned.at(server.api(DEADLINE))).equals(List.of("INTERNAL_ERROR"));
        } catch (RuntimeException | AssertionError gone) {
            return false;
        }
    }

    private static List<String> statuses(PublishedFlow flow) {
        return flow.runs().stream().map(run -> run.path("status").asText()).toList();
    }

    private static JsonNode only(PublishedFlow flow) {
        assertThat(flow.runs()).hasSize(1);
        return flow.api()
                .get("/v1/flow-runs/" + flow.runs().getFirst().path("id").asText())
                .body();
    }

    private static ServerProcess restart(DataDirectory directory, ServerProcess ended) {
        ended.close();
        Waiting.until(
                "PostgreSQL ends with its server", () -> directory.postmaster().isEmpty());
        return start(directory);
    }

    private static ServerProcess start(DataDirectory directory) {
        return ServerProcess.ofClasses(
                PoisonServer.class.getName(),
                List.of(),
                List.of(directory.path().resolve("antidote").toString(), HASTE),
                directory.path(),
                Map.of(
                        "AP_LOG_LEVEL", "info",
                        "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                        "AP_RUN_CRASH_RECOVERIES_MAX", Integer.toString(RECOVERIES)));
    }

    private static PublishedFlow publish(ServerProcess server, FlowScript script) {
        ApiClient api = server.api(DEADLINE);
        return PublishedFlow.create(api, script.importOperation("Mill").path("request"));
    }
}
