package io.millrace.engine.run.waitpoint;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Due delays that cannot resume do not block the ones after them. */
class DueWaitpointIT {
    /** One more than a round reads. */
    private static final int BAD = 65;

    @Test
    void resumesDelays_behindMoreThanARoundOfPermanentFailures() {
        try (var server = ServerSettings.openSignUp().start()) {
            // given delays whose runs the database refuses to queue, and one that is due later
            var owner = server.signUp("ada@example.com", "Ada");
            var bad = LiveFlow.publish(owner, delayed());
            var good = LiveFlow.publish(owner, delayed());
            for (var run = 0; run < BAD; run++) {
                bad.call(json("{}"));
            }
            awaitPaused(server, BAD);
            server.execute("alter table run add constraint refused check (flow_id <> '" + bad.id()
                    + "' or status <> 'QUEUED')");
            server.clock().advance(Duration.ofSeconds(1));
            good.call(json("{}"));
            awaitPaused(server, BAD + 1);

            // when
            server.clock().advance(Duration.ofMinutes(2));

            // then
            assertThat(good.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
            assertThat(server.count("select count(*) from run where flow_id = $1 and status = 'PAUSED'", bad.id()))
                    .isEqualTo(BAD);
        }
    }

    private static FlowScript delayed() {
        return webhook().delay("step_1", 60).map("step_2", "{}");
    }

    private static void awaitPaused(TestServer server, int count) {
        Waiting.until(
                count + " runs are paused",
                () -> server.count("select count(*) from run where status = 'PAUSED'") == count);
    }
}
