package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.cron;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Replays of runs that a schedule or a polled feed started. */
final class TriggeredReplayIT {
    private final FeedPiece feed = new FeedPiece();

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start(feed);

    private TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private JsonNode replayed(LiveFlow flow, JsonNode run) {
        var answer = ada.api()
                .post(
                        "/v1/flow-runs/" + run.path("id").asText() + "/replay",
                        json("{'step':'step_1','effects':'perform'}"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        Waiting.until(
                "the replay has ended",
                () -> flow.run(answer.text("/id")).path("status").asText().equals("SUCCEEDED"));
        return flow.run(answer.text("/id"));
    }

    private static FlowScript storing(FlowScript trigger) {
        return trigger.storePut("step_1", "seen", "{{trigger.output}}");
    }

    @Test
    void replaysARunOfASchedule() {
        var flow = LiveFlow.publish(ada, storing(cron("30 * * * *", "UTC")));
        server.clock().advance(Duration.ofHours(1));
        var run = flow.ended(1);

        var again = replayed(flow, run);

        assertThat(again.path("replayOf")).isEqualTo(run.path("id"));
        assertThat(again.path("environment").asText()).isEqualTo("PRODUCTION");
        assertThat(again.at("/steps/trigger")).isEqualTo(run.at("/steps/trigger"));
    }

    @Test
    void replaysARunOfAPolledFeed_withItsItem_andPollsNothing() {
        feed.entries.add("old");
        var flow = LiveFlow.publish(ada, storing(trigger(FeedPiece.NAME, FeedPiece.VERSION, "new_entry", "{}")));
        feed.entries.addFirst("a");
        server.clock().advance(Duration.ofMinutes(6));
        var run = flow.ended(1);
        var fires = server.count("select count(*) from trigger_fire");

        var again = replayed(flow, run);

        assertThat(again.at("/steps/step_1/input/value/id").asText()).isEqualTo("a");
        assertThat(again.at("/steps/trigger")).isEqualTo(run.at("/steps/trigger"));
        assertThat(server.count("select count(*) from trigger_fire")).isEqualTo(fires);
    }
}
