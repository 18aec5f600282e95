package io.millrace.engine.run.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.redecide.RandomFlow;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.HashSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Random flows and runs on a server: a replay of the whole run with {@code effects: recorded} has the log of the run, apart
 * from durations, and changes no store. {@code -Dmillrace.replays} sets the number of flows; a failure names its seed.
 */
@Slow(Slow.Reason.DURATION)
class RandomReplayIT {
    private static final int FLOWS = Integer.getInteger("millrace.replays", 25);

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void equalsTheRecordByteForByte_withRecordedEffects() {
        var types = new HashSet<String>();
        for (var seed = 0; seed < FLOWS; seed++) {
            var random = new RandomFlow(seed);
            var flow = LiveFlow.publish(owner, random.script());
            var run = flow.run(random.event());
            var entries = storeEntries();

            var answer = owner.api()
                    .post(
                            "/v1/flow-runs/" + run.path("id").asText() + "/replay",
                            Json.object().put("step", "trigger").put("effects", "recorded"));
            assertThat(answer.status()).as("seed %d: %s", seed, answer).isEqualTo(200);
            Waiting.until(
                    "the replay has ended",
                    () -> flow.run(answer.text("/id"))
                            .path("status")
                            .asText()
                            .equals(run.path("status").asText()));
            var again = flow.run(answer.text("/id"));

            assertThat(text(again)).as("seed %d", seed).isEqualTo(text(run));
            assertThat(storeEntries()).as("seed %d", seed).isEqualTo(entries);
            run.path("steps").forEach(step -> types.add(step.path("type").asText()));
        }
        assertThat(types).contains("PIECE", "ROUTER", "LOOP_ON_ITEMS");
    }

    private String storeEntries() {
        return server.text("select coalesce(string_agg(e::text, ' ' order by e::text), '') from store_entry e");
    }

    /** Steps in their order, number of steps, and failed step. */
    private static String text(JsonNode run) {
        var compared = (ObjectNode) run.deepCopy();
        compared.retain("steps", "stepsCount", "failedStep", "status", "tags");
        compared.findParents("duration").forEach(step -> ((ObjectNode) step).remove("duration"));
        return compared.toString();
    }
}
