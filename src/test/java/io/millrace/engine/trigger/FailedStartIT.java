package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceCrash;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts whose trigger fails: by a message, a limit or the loss of its process, also when the owner of the run is lost. */
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

    @ParameterizedTest
    @CsvSource({"TIME, TIMEOUT", "MEMORY, MEMORY_LIMIT_EXCEEDED"})
    void aRunWhoseTriggerPassesALimit_endsInTheStatusOfTheLimit(PieceCrash.Cause cause, String status) {
        feed.crashOfRun.set(new PieceCrash(cause, "beyond the limit"));

        var run = flow.run(json("{'n':1}"));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo(status);
        assertThat(run.at("/failedStep/name").asText()).isEqualTo("trigger");
        assertThat(run.path("steps").has("step_1")).isFalse();
    }

    @Test
    void aRunWhoseTriggerLostItsProcess_isRetriedWithTheRequest() {
        feed.crashOfRun.set(new PieceCrash(PieceCrash.Cause.INTERNAL, "the process was killed"));

        flow.call(json("{'n':1}"));

        assertThat(succeeded().at("/steps/step_1/output/seen")).isEqualTo(json("{'n':1}"));
    }

    @Test
    void aRunWhosePreparationLostItsProcess_isRetriedWithTheOutputOfTheTrigger() {
        feed.crashOfStart.set(new PieceCrash(PieceCrash.Cause.INTERNAL, "the process was killed"));

        flow.call(json("{'n':1}"));

        assertThat(succeeded().at("/steps/step_1/output/seen")).isEqualTo(json("{'n':1}"));
        assertThat(feed.starts).hasValue(2);
    }

    /** The run of the flow, as soon as it has succeeded. */
    private JsonNode succeeded() {
        Waiting.until(
                "the retry has succeeded",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("SUCCEEDED"));
        return flow.newest();
    }
}
