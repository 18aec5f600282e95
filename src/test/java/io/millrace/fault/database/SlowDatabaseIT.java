package io.millrace.fault.database;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.RecordedLog;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A database with half a second for each round trip: everything is slow, and nothing fails. */
@Slow(Slow.Reason.FAULT)
final class SlowDatabaseIT {
    private static final Duration ROUND_TRIP = Duration.ofMillis(500);

    /** Three times the concurrency limit of the project, so that most runs wait for their turn. */
    private static final int CALLS = 15;

    @Test
    void acceptsAndEndsEverything_andNeverCountsAsAway() {
        try (var log = RecordedLog.of("io.millrace");
                var proxied = ProxiedServer.start(1)) {
            var server = proxied.server();
            var outside = proxied.outside();
            outside.release();
            var flow = LiveFlow.publish(
                    server.signUp("ada@example.com", "Ada"),
                    webhook()
                            .http("step_1", "POST", outside.url("/first"))
                            .storePut("step_2", "key", "value")
                            .http("step_3", "POST", outside.url("/second")));
            assertThat(flow.call(json("{}")).status()).isEqualTo(200);

            // when the database becomes slow under load
            proxied.way().slow(ROUND_TRIP);
            var calls = IntStream.range(0, CALLS)
                    .mapToObj(_ -> flow.callAsync("", json("{}")))
                    .toList();

            // then all events are accepted, and all runs end, each step executed once
            assertThat(calls)
                    .allSatisfy(call -> assertThat(call.join().status()).isEqualTo(200));
            assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
            Waiting.until(
                    "all have ended",
                    Duration.ofMinutes(2),
                    () -> server.count("select count(*) from ended_run where status = 'SUCCEEDED'") == CALLS + 1);
            assertThat(outside.paths()).hasSize(2 * (CALLS + 1));

            // then no node considered the database unavailable
            assertThat(log.lines()).noneMatch(line -> line.contains("the database is unavailable"));
            assertThat(log.lines()).noneMatch(line -> line.contains("unavailable"));
            proxied.way().mend();
        }
    }
}
