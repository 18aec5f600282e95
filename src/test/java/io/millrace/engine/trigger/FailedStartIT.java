package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Starts under an idempotency key whose trigger fails, and whose owner is lost before the end of the run is stored. */
final class FailedStartIT {
    private final FeedPiece feed = new FeedPiece();

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start(feed);

    private TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private LiveFlow flow = LiveFlow.publish(
            ada,
            trigger(FeedPiece.NAME, FeedPiece.VERSION, "on_call", "{}").map("step_1", "{'seen':'{{trigger.output}}'}"));

    /** Calls the flow, whose run loses its owner as soon as it is stored with its key. */
    private JsonNode endedByTheNextOwner() {
        server.execute("""
                create function lose_owner() returns trigger language plpgsql as
                'begin new.owner = ''''; new.fence = 1; return new; end'
                """);
        server.execute("create trigger lost before insert on run for each row execute function lose_owner()");
        var answer = server.anonymous()
                .sendAsync(
                        "POST",
                        "/v1/webhooks/" + flow.id(),
                        Map.of("Content-Type", "application/json", "Idempotency-Key", "k"),
                        "{\"n\":1}")
                .join();
        assertThat(answer.status()).isEqualTo(200);
        return flow.ended(1);
    }

    private static void assertFailedAtTheTrigger(JsonNode run, String message) {
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("trigger");
        assertThat(run.at("/steps/trigger/errorMessage").asText()).contains(message);
        assertThat(run.path("steps").has("step_1")).isFalse();
    }

    @Test
    void aRunWhoseTriggerFailed_failsAtItsTrigger() {
        feed.broken = true;

        var run = endedByTheNextOwner();

        assertFailedAtTheTrigger(run, "the feed is down");
        assertThat(run.at("/steps/trigger/output/body/n").asInt()).isEqualTo(1);
    }

    @Test
    void aRunThatItsTriggerCouldNotPrepare_failsAtItsTrigger() {
        feed.unprepared = true;

        var run = endedByTheNextOwner();

        assertFailedAtTheTrigger(run, "the feed is not ready");
        assertThat(run.at("/steps/trigger/output/n").asInt()).isEqualTo(1);
    }
}
