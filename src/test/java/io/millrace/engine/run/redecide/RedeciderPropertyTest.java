package io.millrace.engine.run.redecide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.plan.CompiledVersion;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** Random flows and runs: the re-decider on the recorded version equals the record. A failure names its seed. */
class RedeciderPropertyTest {
    private static final int RUNS = 500;

    private final Redecider redecider = new Redecider(new InputTruncation(Long.MAX_VALUE));

    @Test
    void equalsTheRecordByteForByte_onTheSameVersion() {
        var statuses = EnumSet.noneOf(RunStatus.class);
        var types = new HashSet<String>();
        for (var seed = 0; seed < RUNS; seed++) {
            var random = new RandomFlow(seed);
            var made = CompiledVersion.of(random.script());
            var event = Json.object().set("body", random.event());
            var recording = new RunRecorder(made.flow(), seed, true).run(event);

            var steps = made.version().steps();
            var changes = StepChanges.between(steps, made.flow(), steps);
            var again = redecider.redecide(recording, made.flow(), changes, WalkRequest.COMPARE);

            assertThat(again.verdict()).as("seed %d", seed).isEqualTo(new RedecisionVerdict.Same());
            assertThat(text(again.steps())).as("seed %d", seed).isEqualTo(text(recording.steps()));
            statuses.add(recording.status());
            recording.steps().forEach(step -> types.add(step.path("type").asText()));
        }
        assertThat(statuses).contains(RunStatus.SUCCEEDED, RunStatus.FAILED);
        assertThat(types).contains("PIECE", "ROUTER", "LOOP_ON_ITEMS");
    }

    private static String text(JsonNode steps) {
        return new String(RecordText.plain(steps), StandardCharsets.UTF_8);
    }
}
