package io.millrace.fault.poison;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Long runs at a server that is killed 20 times, each time after a random number of them has been taken over: most
 * kills fall within the trial of a harmless run. None is set aside. {@code SuspectTrialTest} simulates the same.
 */
@Slow(Slow.Reason.FAULT)
final class BystanderIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int BYSTANDERS = 12;
    private static final int KILLS = 20;

    /** Divides both the control period and the trials. */
    private static final int HASTE = 8;

    private final Random random = new Random(39);
    private final DatabaseSettings database = TestPostgres.freshDatabase();

    /** 21 starts of a server: 100 s on an idle machine, and five times as much next to other builds. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void setsNoRunAside_thatOnlyExecutedAtTheKills() {
        try (var directory = DataDirectory.create();
                var outside = Outside.start()) {
            // given runs in the middle of a call that outlasts all kills
            var server = start(directory);
            var flow = PublishedFlow.create(
                    server.api(DEADLINE),
                    webhook()
                            .http("step_1", "POST", outside.url("/held"))
                            .map("step_2", "{'done':true}")
                            .importOperation("Mill")
                            .path("request"));
            for (var run = 0; run < BYSTANDERS; run++) {
                flow.api().post("/v1/webhooks/" + flow.flowId(), Json.object());
            }
            outside.awaitCalls(BYSTANDERS);

            // when
            for (var kills = 0; kills < KILLS; kills++) {
                server.kill();
                server = restart(directory, server);
                server.api(DEADLINE);
                var takenUp = outside.calls().size() + random.nextInt(BYSTANDERS + 1);
                Waiting.until(
                        "runs are taken over", DEADLINE, () -> outside.calls().size() >= takenUp);
            }

            // then they succeed when their calls are answered, and were taken over as suspects after the first two
            // kills
            assertThat(outside.calls().size()).isGreaterThan(4 * BYSTANDERS);
            try (var last = server) {
                var ended = flow.at(last.api(DEADLINE));
                Waiting.until("the runs have ended", DEADLINE, () -> {
                    outside.release();
                    return statuses(ended).stream().noneMatch(status -> status.matches("RUNNING|QUEUED"));
                });
                assertThat(statuses(ended)).hasSize(BYSTANDERS).containsOnly("SUCCEEDED");
            }
        }
    }

    private static List<String> statuses(PublishedFlow flow) {
        return StreamSupport.stream(
                        flow.api()
                                .get("/v1/flow-runs?limit=100&projectId=" + flow.projectId())
                                .body()
                                .path("data")
                                .spliterator(),
                        false)
                .map(run -> run.path("status").asText())
                .toList();
    }

    private ServerProcess restart(DataDirectory directory, ServerProcess killed) {
        killed.close();
        return start(directory);
    }

    private ServerProcess start(DataDirectory directory) {
        return ServerProcess.ofClasses(
                PoisonServer.class.getName(),
                List.of(),
                List.of(directory.path().resolve("antidote").toString(), Integer.toString(HASTE)),
                directory.path(),
                Map.of(
                        "AP_LOG_LEVEL", "info",
                        "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                        "AP_DEFAULT_CONCURRENT_JOBS_LIMIT", Integer.toString(BYSTANDERS),
                        "AP_POSTGRES_HOST", "127.0.0.1",
                        "AP_POSTGRES_PORT", Integer.toString(database.port()),
                        "AP_POSTGRES_DATABASE", database.database(),
                        "AP_POSTGRES_USERNAME", database.user(),
                        "AP_POSTGRES_PASSWORD", database.password()));
    }
}
