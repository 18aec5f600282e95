package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A live run read from its rows: after a takeover, before its actor has begun, or from another node. */
class RecordedRunTest {
    private static final Instant NOW = Instant.parse("2026-03-09T12:30:00Z");

    private static JsonNode steps(RunStatus status, boolean executeTrigger, boolean unprepared) {
        var header = new RunWrite.RunHeader(
                "run",
                NOW,
                "p",
                new RunWrite.RunHeader.FlowOfRun("f", "v"),
                RunEnvironment.PRODUCTION,
                NOW,
                new RunWrite.RunHeader.RunOrigin(null, false, null, null, null),
                "Flow");
        var run = new RunSnapshot(
                header,
                status,
                2,
                MissingNode.getInstance(),
                new RunSnapshot.StartFlags(executeTrigger, unprepared, false),
                List.of(),
                new RunSnapshot.RecordedState(Map.of(), null, null));
        var stored = new StoredRun(
                run,
                Buffer.buffer("{\"n\":1}"),
                Map.of("step_1", Buffer.buffer("{\"type\":\"CODE\",\"status\":\"SUCCEEDED\",\"output\":2}")),
                Optional.empty());
        var json = Json.object().put("status", status.name());
        return Json.trusted(RecordedRun.live(json, Optional.empty(), Optional.of(stored))
                        .text()
                        .toString())
                .path("steps");
    }

    @Test
    void showsTheTrigger_beforeTheStepsThatAreRecorded() {
        var steps = steps(RunStatus.RUNNING, false, false);

        assertThat(steps.fieldNames()).toIterable().containsExactly("trigger", "step_1");
        assertThat(steps.at("/trigger/type").asText()).isEqualTo("PIECE_TRIGGER");
        assertThat(steps.at("/trigger/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(steps.at("/trigger/output")).isEqualTo(Json.object().put("n", 1));
        assertThat(steps(RunStatus.PAUSED, false, false).has("trigger")).isTrue();
    }

    @Test
    void showsNoTrigger_thatHasNotFired() {
        assertThat(steps(RunStatus.QUEUED, false, false).has("trigger")).isFalse();
        assertThat(steps(RunStatus.RUNNING, true, false).has("trigger")).isFalse();
        assertThat(steps(RunStatus.RUNNING, false, true).has("trigger")).isFalse();
    }
}
